// Tries what a script can do on this machine, without a sandbox and in each that works here, as root and as a user, and
// prints the table of docs/security.md; with --write it is put there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { probedSandboxes } from '../packages/tools-shell/test/probe/probe-report.ts';
import { renderProbeTable, splitProbePage, type ProbeColumn } from '../packages/tools-shell/test/probe/probe-table.ts';
import { accountsHere, startProbe, whatIsMissing } from '../packages/tools-shell/test/probe/start-probe.ts';

const page = join(import.meta.dirname, '..', 'docs', 'security.md');
const missing = whatIsMissing();
if (missing !== undefined) throw new Error(`The probe needs ${missing}.`);

const columns: ProbeColumn[] = [];
for (const sandbox of probedSandboxes) {
  for (const account of accountsHere()) {
    const report = await startProbe(sandbox, account);
    if (report.missing === undefined) columns.push({ sandbox, account, report });
    else process.stderr.write(`${sandbox}, ${account}: ${report.missing}\n`);
    for (const { id, seen, worked, verdict, told } of report.findings) {
      const how = [...(seen === undefined ? [] : [seen]), ...worked].join('; ');
      process.stderr.write(`${sandbox}, ${account}: ${id}: ${verdict}${how === '' ? '' : ` (${how})`}\n`);
      if (verdict === 'broken') process.stderr.write(`${told}\n`);
    }
  }
}
const table = renderProbeTable(columns);
if (process.argv.includes('--write')) {
  const [before, , after] = splitProbePage(readFileSync(page, 'utf8'));
  writeFileSync(page, `${before}\n${table}\n${after}`);
}
process.stdout.write(table);
