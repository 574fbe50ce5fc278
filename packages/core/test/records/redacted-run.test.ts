import fc from 'fast-check';
import { expect, test } from 'vitest';
import { redactBytes } from '../../src/agent/record/redact-bytes.js';
import { createRedactor, replayRun, resumeRun, SkillsError, startRun } from '../../src/index.js';
import { agentWorld, answer, named, skillFile, type AgentWorld } from '../agent/agent-world.js';
import { yes } from '../agent/scripts-world.js';
import { sha256 } from '../sha256.js';

const recordOf = ({ journal }: AgentWorld) => ({
  events: [...journal.events],
  kept: async (digest: Parameters<typeof journal.kept.get>[0]) => journal.kept.get(digest),
});
const redact = createRedactor({ values: ['hunter2secret'] });
const load = (name: string) => ({ kind: 'select_skills', skills: [{ name }], reason: 'It fits.' }) as const;

test('skills whose places are the same once they are redacted stay two', async () => {
  const files = {
    'hunter2secret/aaaa/SKILL.md': skillFile('aaaa', 'TEXT-A'),
    'swordfish99/aaaa/SKILL.md': skillFile('bbbb', 'TEXT-B'),
  };
  const both = createRedactor({ values: ['hunter2secret', 'swordfish99'] });
  const world = agentWorld([load('bbbb'), answer('Done.')], { files });
  const run = await startRun(world.ports, named({ redact: both }));
  await run.ask('Go.');
  const told = JSON.stringify(world.model.requests[1]);
  expect(told).toContain('TEXT-B');
  expect(told).not.toContain('TEXT-A');
  expect(JSON.stringify(world.events)).not.toMatch(/hunter2secret|swordfish99/u);
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true });
});

test('a run that had something that takes secrets out does not go on without it, unless that is said', async () => {
  const world = agentWorld([answer('One.'), answer('Two.'), answer('Three.')]);
  await (await startRun(world.ports, named({ redact }))).ask('First.');
  await expect(resumeRun(recordOf(world), world.ports)).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
  expect(world.types().at(-1)).toBe('request_answered');
  const again = await resumeRun(recordOf(world), world.ports, { redact });
  await again.ask('The password is hunter2secret.');
  expect(JSON.stringify(world.events)).not.toContain('hunter2secret');
  await expect(resumeRun(recordOf(world), world.ports)).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
  const open = await resumeRun(recordOf(world), world.ports, { redact: (text) => text });
  await open.ask('And hunter2secret?');
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true, events: world.events.length });
});

test('what a resumed run has that takes secrets out, the next one needs, too', async () => {
  const world = agentWorld([answer('One.')]);
  await startRun(world.ports, named());
  await resumeRun(recordOf(world), world.ports, { redact });
  await expect(resumeRun(recordOf(world), world.ports)).rejects.toSatisfy((error) => SkillsError.is(error, 'USAGE'));
});

const bytesOf = (...parts: readonly (string | number)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));

test('a byte that is no text does not keep a secret in what a script printed', async () => {
  const stdout = bytesOf(0xff, 'a hunter2secret ', 0xe2, 0x82, 'hunter2secret', 0xc3);
  const script = { kind: 'run_script', skill: { name: 'aaaa' }, relative_path: 'go.mjs', args: [] } as const;
  const files = { 'aaaa/SKILL.md': skillFile('aaaa', 'Text.'), 'aaaa/go.mjs': '' };
  const world = agentWorld([load('aaaa'), script, answer('Done.')], {
    files,
    approver: yes('run'),
    runner: {
      run: async () => ({
        runner: 'process',
        command: ['node'],
        exitCode: 0,
        signal: undefined,
        timedOut: false,
        stdout: { bytes: stdout, size: stdout.length },
        stderr: { bytes: bytesOf(), size: 0 },
      }),
    },
  });
  await (await startRun(world.ports, named({ redact }))).ask('Go.');
  const [kept] = world.of('observation_recorded').at(-1)?.kept ?? [];
  const expected = bytesOf(0xff, 'a [redacted:value] ', 0xe2, 0x82, '[redacted:value]', 0xc3);
  expect(Buffer.from(world.journal.kept.get(kept!.digest)!)).toStrictEqual(Buffer.from(expected));
  for (const bytes of world.journal.kept.values()) expect(Buffer.from(bytes).includes('hunter2secret')).toBe(false);
  expect(await replayRun(recordOf(world), { sha256 })).toMatchObject({ same: true });
});

test('whatever bytes are around it, a secret goes, and nothing else changes', () => {
  const part = fc.oneof(
    fc.uint8Array({ maxLength: 6 }),
    fc.constantFrom('hunter2secret', 'é', '€', '\u{1F600}').map((text) => new Uint8Array(Buffer.from(text))),
    fc
      .constantFrom([0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe0, 0x80, 0x80], [0xf0, 0x9f])
      .map((bytes) => Uint8Array.from(bytes)),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const bytes = Buffer.concat(parts);
      const redacted = Buffer.from(redactBytes(bytes, redact));
      const latin = bytes.toString('latin1').replaceAll(/(?:hunter2secret)+/gu, '[redacted:value]');
      expect(redacted.toString('latin1')).toBe(latin);
    }),
    { numRuns: 1_000 },
  );
});
