import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../fixtures/run-program.ts';

/** What was measured on, and with which versions of the references: two sentences. */
export async function describeMachine(workspace: string, tools: string): Promise<string> {
  const fileSystem = (await firstLine(['df', '--output=fstype', workspace], workspace, 1)) ?? 'unknown';
  const programs = await Promise.all(
    [
      ['curl', '--version'],
      ['bsdtar', '--version'],
      ['openssl', 'version'],
      ['nginx', '-v'],
      ['npm', '--version'],
      [join(tools, 'node_modules', 'pnpm', 'pnpm'), '--version'],
    ].map(async (words) => {
      const line = await firstLine(words, workspace);
      const name = words[0]?.split('/').at(-1) ?? '';
      const version = /\d+(?:\.\d+)+/u.exec(line ?? '')?.[0];
      return version === undefined ? [] : [`${name} ${version}`];
    }),
  );
  const processor = `${availableParallelism()} cores of ${cpus()[0]?.model.trim() ?? 'unknown'}`;
  const memory = `${Math.round(totalmem() / 1_073_741_824)} GiB`;
  return `${processor}, ${memory} of memory, ${type()} ${release()}, disk ${fileSystem}; load ${loadavg()[0]?.toFixed(1) ?? ''} at the beginning. Node ${process.versions.node}, ${programs.flat().join(', ')}.`;
}

async function firstLine(words: readonly string[], cwd: string, index = 0): Promise<string | undefined> {
  try {
    return (await runProgram(['sh', '-c', '"$@" 2>&1', 'sh', ...words], { cwd })).split('\n')[index]?.trim();
  } catch {
    return undefined;
  }
}
