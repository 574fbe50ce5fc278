import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { abilityWords, sandboxAbilities, type SandboxAbilityId } from '../../src/sandbox/sandbox-abilities.js';
import { probedSandboxes, type ProbedSandbox, type ProbeReport } from './probe-report.js';
import { readProbeTable, renderProbeTable, splitProbePage, type ProbeColumn, type ProbeTable } from './probe-table.js';
import { accountsHere, startProbe, whatIsMissing } from './start-probe.js';

const ids = sandboxAbilities.map(({ id }) => id);
const missing = whatIsMissing();
const accounts = missing === undefined ? accountsHere() : [];
/** Of these, nothing is to be seen from outside: what the script says has to do. */
const unseen: readonly SandboxAbilityId[] = ['nested-namespaces', 'kernel-interfaces'];
/** One that takes most of a second to start, and is not the first choice, is for the whole campaign. */
const probed = probedSandboxes.filter(
  (sandbox) => sandbox !== 'sandbox-runtime' || process.env['SKILLPACK_LONG_TESTS'] !== undefined,
);
const page = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'security.md');
const long = { timeout: 600_000 };

const reports = new Map<ProbedSandbox, Promise<readonly ProbeReport[]>>();

/** What came of the probe, for each account. It is run once, for all of them at once. */
async function measure(sandbox: ProbedSandbox): Promise<readonly ProbeReport[]> {
  const measured = reports.get(sandbox) ?? Promise.all(accounts.map(async (account) => startProbe(sandbox, account)));
  reports.set(sandbox, measured);
  return measured;
}

/** What this machine keeps from any process, with or without a sandbox, and why. */
function denied(id: SandboxAbilityId): string | undefined {
  if (id === 'nested-namespaces' && spawnSync('unshare', ['--user', 'true']).status !== 0) {
    return 'nobody makes namespaces here';
  }
  const filtered = !/^Seccomp:\s+0$/mu.test(readFileSync('/proc/self/status', 'utf8'));
  return id === 'kernel-interfaces' && filtered ? 'a filter of system calls is on all processes here' : undefined;
}

test('PSA-23: there is a script for each ability that a sandbox has to keep from scripts, and no other', () => {
  const scripts = readdirSync(join(import.meta.dirname, 'skill', 'scripts')).filter((name) => name !== 'attempts.py');
  expect(scripts.toSorted()).toEqual(ids.map((id) => `${id}.py`).toSorted());
  expect(ids.length).toBe(21);
});

describe.skipIf(missing !== undefined)(`what a script can do, as ${accounts.join(' and ')}`, () => {
  test('PSA-23: without a sandbox it can do all of it, as is seen from outside', long, async ({ annotate }) => {
    const measured = await measure('none');
    const excused = ids.filter((id) => denied(id) !== undefined);
    for (const id of excused) await annotate(`Proves nothing of ${id}: ${denied(id)}`, 'warning');
    for (const { findings, leaves } of measured) {
      const here = findings.filter(({ id }) => !excused.includes(id));
      expect(here.filter(({ verdict }) => verdict !== 'possible')).toEqual([]);
      expect(here.filter(({ id, seen }) => seen === undefined && !unseen.includes(id))).toEqual([]);
      expect(leaves).toEqual(abilityWords(ids));
    }
  });

  test.for(probed.filter((sandbox) => sandbox !== 'none'))(
    'PSA-23: in %s it can do nothing of it but what its runner names',
    long,
    async (sandbox, { skip }) => {
      const measured = await measure(sandbox);
      const problem = measured.find((report) => report.missing !== undefined)?.missing;
      skip(problem !== undefined, problem);
      for (const { findings, leaves } of measured) {
        const told = (id: SandboxAbilityId): boolean => leaves.includes(abilityWords([id])[0] ?? '');
        expect(findings.filter(({ id, verdict }) => verdict !== 'denied' && !told(id))).toEqual([]);
      }
    },
  );

  test('the page on security says what the probe finds', long, async ({ annotate }) => {
    const told = readProbeTable(splitProbePage(readFileSync(page, 'utf8'))[1]);
    const wrong: string[] = [];
    for (const sandbox of probed) {
      for (const [index, report] of (await measure(sandbox)).entries()) {
        if (report.missing !== undefined) await annotate(`Not compared, for want of it: ${report.missing}`, 'warning');
        else wrong.push(...differences(told, { sandbox, account: accounts[index] ?? 'user', report }));
      }
    }
    expect(wrong).toEqual([]);
  });
});

/** Where a table says something else than was found. Some machines lack what bubblewrap needs for all of it, and its runner says so. */
function differences(told: ProbeTable, column: ProbeColumn): readonly string[] {
  const lacking = column.sandbox === 'bubblewrap' ? column.report.leaves : [];
  return Object.entries(readProbeTable(renderProbeTable([column]))).flatMap(([words, found]) =>
    Object.entries(found)
      .filter(([heading, value]) => told[words]?.[heading] !== value && !lacking.includes(words))
      .map(([heading, value]) => `${words} (${heading}): ${value}, and the page says ${told[words]?.[heading]}`),
  );
}
