import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import { nobody, random } from './probe-ground.js';
import { probeReport, type ProbedSandbox, type ProbeReport } from './probe-report.js';

/** As whom a probe runs. */
export type ProbeAccount = 'root' | 'user';

const repository = join(import.meta.dirname, '..', '..', '..', '..');
const program = join(import.meta.dirname, 'run-probe.ts');
const flags = ['--conditions=skillpack-source', '--import', join(repository, 'test', 'registry', 'resolve-sources.ts')];
/** Root starts it so as somebody else. */
const asNobody = ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'];

/** Why nothing can be probed here at all; `undefined` where it can. */
export function whatIsMissing(): string | undefined {
  if (process.platform !== 'linux') return 'Linux';
  if (Number.parseInt(process.versions.node, 10) < 24) return 'Node.js 24, which knows `using`, to run the sources';
  return existsSync('/usr/bin/python3') ? undefined : '/usr/bin/python3, which the scripts are written for';
}

/** As whom it can be run here. */
export function accountsHere(): readonly ProbeAccount[] {
  if (process.getuid?.() !== 0) return ['user'];
  // Where the sources lie in somebody's home, nobody else reads them.
  const readable = spawnSync(asNobody[0] ?? '', [...asNobody.slice(1), process.execPath, '--check', program]);
  return readable.status === 0 ? ['root', 'user'] : ['root'];
}

/** Runs the whole probe in a process of its own, which has a secret in its environment. */
export async function startProbe(sandbox: ProbedSandbox, account: ProbeAccount): Promise<ProbeReport> {
  const words = [process.execPath, ...flags, program, sandbox];
  const [file = '', ...args] = account === 'user' && process.getuid?.() === 0 ? [...asNobody, ...words] : words;
  // Nothing of the tests' own variables, which tell Node what to load.
  const { PATH, SKILLPACK_LONG_TESTS } = process.env;
  const env = { PATH, SKILLPACK_LONG_TESTS, PROBE_SECRET: `probe-environment-${random()}` };
  // As a shell may leave one open: by it, all of this machine is reached.
  const root = openSync('/', 'r');
  const child = spawn(file, args, { cwd: repository, env, stdio: ['ignore', 'pipe', 'pipe', root] });
  closeSync(root);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('what was started has pipes');
  const [said, complained] = await Promise.all([text(stdout), text(stderr)]);
  try {
    return probeReport.parse(JSON.parse(said));
  } catch (error) {
    throw new Error(`the probe as ${account} with ${sandbox} ended with: ${complained}`, { cause: error });
  }
}
