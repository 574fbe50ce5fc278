import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

import { limitConcurrency } from './check/limit-concurrency.ts';
import { runCommand } from './check/run-command.ts';
import { readWorkspacePackages, type WorkspacePackage } from './check/workspace-packages.ts';

/*
 * Judges the packages as they are published: `pnpm pack` applies publishConfig and the versions of the workspace, so
 * what is read here is what a stranger would install.
 */

interface PackReport {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

// Under `pnpm run` the very pnpm that runs; else the one the README names.
const runningPnpm = process.env['npm_execpath'];
const pnpm =
  runningPnpm !== undefined && basename(runningPnpm).startsWith('pnpm') ? [runningPnpm] : ['npx', '-y', 'pnpm@12'];

async function packPackage({ folder, name }: WorkspacePackage, destination: string): Promise<PackReport> {
  // Without prepack, since the check comes after the build and judges what that made.
  const pack = ['--config.ignore-scripts=true', 'pack', '--json', '--pack-destination', destination];
  const packed = await runCommand([...pnpm, ...pack], { cwd: folder });
  if (!packed.passed) throw new Error(`${name} cannot be packed: ${packed.output}`);
  // A warning of npm's may stand before the report.
  return JSON.parse(packed.output.slice(packed.output.indexOf('{'))) as PackReport;
}

function judgeFiles(files: readonly string[]): string[] {
  const missing = ['LICENSE', 'README.md']
    .filter((file) => !files.includes(file))
    .map((file) => `MISSING_FILE ${file}`);
  const stray = files.filter((file) => /\.test\.|(^|\/)(src|test)\//u.test(file)).map((file) => `STRAY_FILE ${file}`);
  return [...missing, ...stray];
}

async function judgeExports(tarball: string): Promise<string[]> {
  const bytes = await readFile(tarball);
  const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
  return messages.map((message) => `publint ${message.code} ${formatMessage(message, pkg, { color: false })}`);
}

async function judgeTypes(tarball: string, root: string): Promise<string[]> {
  const attw = ['attw', '--profile', 'esm-only', '--no-emoji', '--format', 'ascii', tarball];
  const { passed, output } = await runCommand(attw, { cwd: root });
  return passed ? [] : [`attw ${output.trim()}`];
}

async function judgePackage(subject: WorkspacePackage, root: string): Promise<readonly string[]> {
  const destination = await mkdtemp(join(tmpdir(), 'skillpack-packed-'));
  try {
    const { filename, files } = await packPackage(subject, destination);
    return [
      ...judgeFiles(files.map(({ path }) => path)),
      ...(await judgeExports(filename)),
      ...(subject.entryPoints.length === 0 ? [] : await judgeTypes(filename, root)),
    ];
  } finally {
    await rm(destination, { recursive: true, force: true });
  }
}

const root = process.cwd();
const limited = limitConcurrency(2);
const packages = await readWorkspacePackages(root, process.argv.slice(2));
await Promise.all(
  packages.map(async (subject) => {
    for (const problem of await limited(async () => judgePackage(subject, root))) {
      console.log(`${subject.name}: ${problem}`);
      process.exitCode = 1;
    }
  }),
);
