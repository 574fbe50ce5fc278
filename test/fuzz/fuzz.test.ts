import { describe, expect, test } from 'vitest';
import { fuzzTargets } from './fuzz-targets.js';
import { readKeptInputs } from './kept-inputs.js';
import { judgeInTime, runTarget } from './run-target.js';

// The same inputs every day, so that a change that breaks something is told from luck; a campaign tries others.
const seed = Number(process.env['SKILLPACK_FUZZ_SEED'] ?? 20_261_122);
// A test run of every day tries a sample; SKILLPACK_LONG_TESTS tries ten times as many, FUZZ_RUNS any number.
const factor = process.env['SKILLPACK_LONG_TESTS'] === undefined ? 1 : 10;
const given = process.env['FUZZ_RUNS'];

describe(`PSA-32: whatever strangers send is read or refused (SKILLPACK_FUZZ_SEED=${seed})`, () => {
  test.for(fuzzTargets.map((target) => [target.name, target] as const))(
    '%s',
    { timeout: 600_000 },
    async ([, target]) => {
      const runs = given === undefined ? target.sample * factor : Number(given);
      const { finding, accepted, tried } = await runTarget(target, { seed, runs });
      if (finding !== undefined) throw new Error(inspected(finding.input), { cause: finding.error });
      expect(tried).toBe(runs);
      // A target that only ever answers one thing looks at nothing.
      if (target.oneSided !== true) expect(accepted).toBeGreaterThan(0);
      expect(accepted).toBeLessThan(tried);
    },
  );
});

function inspected(input: unknown): string {
  const text = JSON.stringify(input, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  return `Broken by ${text}`;
}

const kept = [...readKeptInputs()];

test.for(kept)('PSA-32: a kept input is still judged well: %s', async ([, { target: name, input }], context) => {
  const target = fuzzTargets.find((one) => one.name === name);
  context.skip(target === undefined && process.platform !== 'linux', 'its programs are not here');
  expect(target, `the target ${name}`).toBeDefined();
  if (target !== undefined) await judgeInTime(target, input);
});

test('no two targets have one name', () => {
  expect(new Set(fuzzTargets.map(({ name }) => name)).size).toBe(fuzzTargets.length);
});
