// Runs on the packages' sources: `pnpm fuzz` gives Node the flags for it.
import { parseArgs } from 'node:util';
import {
  runCampaign,
  type CampaignFinding,
  type CampaignOptions,
  type TargetCount,
} from '../test/fuzz/fuzz-campaign.ts';
import { fuzzTargets } from '../test/fuzz/fuzz-targets.ts';

const names = fuzzTargets.map(({ name }) => name);
const help = `pnpm fuzz [--minutes <n>] [--seed <n>] [--batch <n>] [--keep <folder>] [target…]

Fuzzes everything that takes what strangers send, or the named targets, for a given time, and prints how many inputs
were tried and how many were accepted. All targets get the same time. An input that breaks a promise is made as small
as it goes and kept in test/fuzz/kept/, where every test run tries it again.

The exit code is 1 if there was one, and 3 if the time was over before every target had its turn.

  --minutes  how long [SKILLPACK_FUZZ_MINUTES, else 1]
  --seed     of each target's first batch; the same seed and batch try the same inputs, as far as the time reaches
             [SKILLPACK_FUZZ_SEED, else the time]
  --keep     another folder for such inputs
  --batch    most inputs of one target before it is another one's turn; the first turns are shorter [500]

Targets: ${names.join(', ')}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string', default: process.env['SKILLPACK_FUZZ_MINUTES'] ?? '1' },
    seed: { type: 'string', default: process.env['SKILLPACK_FUZZ_SEED'] ?? String(Date.now() % 1_000_000_000) },
    batch: { type: 'string', default: '500' },
    keep: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});
const [minutes, seed, batch] = [values.minutes, values.seed, values.batch].map(Number);
const unknown = positionals.filter((name) => !names.includes(name));
const valid = (value: number | undefined): value is number => value !== undefined && value >= 0;

if (values.help === true) console.log(help);
else if (unknown.length > 0 || !valid(minutes) || !valid(batch) || !valid(seed) || !Number.isInteger(seed + batch)) {
  console.error(`Not understood: ${unknown.join(', ') || 'a number that is none'}.\n\n${help}`);
  process.exitCode = 2;
} else {
  const targets = positionals.length > 0 ? positionals : names;
  console.log(`${stamp()} seed ${seed}, batches of ${batch}, ${minutes} min, ${targets.length} targets`);
  const milliseconds = minutes * 60_000;
  const prints = { onFinding: printFinding, onBatch: printNow() };
  const counts = await runCampaign({ targets, milliseconds, seed, batch, keep: values.keep, ...prints });
  console.log(`${stamp()} done`);
  for (const line of tableOf(counts)) console.log(line);
  const unreached = [...counts].flatMap(([name, { tried, findings }]) => (tried + findings > 0 ? [] : [name]));
  if (unreached.length > 0) {
    console.error(`NOT TRIED, since the time was over: ${unreached.join(', ')}. Give it more --minutes.`);
    process.exitCode = 3;
  }
  if ([...counts.values()].some(({ findings }) => findings > 0)) process.exitCode = 1;
}

function stamp(): string {
  return new Date().toISOString().slice(0, 19);
}

function printFinding({ target, seed: used, runs, why, file }: CampaignFinding): void {
  console.log(`${stamp()} FINDING in ${target}, seed ${used}, ${runs} inputs, kept in ${file ?? 'nothing'}\n${why}`);
}

/** Says every few minutes how far it is, so that a campaign which is stopped has said something. */
function printNow(): NonNullable<CampaignOptions['onBatch']> {
  let last = performance.now();
  return (counts) => {
    if (performance.now() - last < 300_000) return;
    last = performance.now();
    console.log(`${stamp()} ${tableOf(counts).at(-1) ?? ''}`);
  };
}

function tableOf(counts: ReadonlyMap<string, TargetCount>): string[] {
  const rows = [...counts].map(([name, { tried, accepted, findings }]) => [name, tried, accepted, findings]);
  const sum = (column: number) => rows.reduce((total, row) => total + Number(row[column]), 0);
  const all = [['target', 'tried', 'accepted', 'findings'], ...rows, ['all', sum(1), sum(2), sum(3)]];
  return all.map(([name = '', ...numbers]) =>
    [String(name).padEnd(20), ...numbers.map((number) => String(number).padStart(12))].join(''),
  );
}
