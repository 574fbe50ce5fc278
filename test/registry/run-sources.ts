import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';

/** A process of its own that runs a TypeScript file on the packages' sources. */
export function runSources(file: string, args: readonly string[]): ChildProcessByStdio<null, Readable, null> {
  const folder = import.meta.dirname;
  const flags = ['--conditions=skillpack-source', '--import', join(folder, 'resolve-sources.ts')];
  return spawn(process.execPath, [...flags, join(folder, file), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The lines that a process prints, and how it ended. */
export async function linesOf(
  child: ChildProcessByStdio<null, Readable, null>,
  onLine: (line: string) => void = () => undefined,
): Promise<readonly string[]> {
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8');
  child.stdout.on('data', (text: string) => {
    const pieces = (rest + text).split('\n');
    rest = pieces.pop() ?? '';
    for (const line of pieces) {
      lines.push(line);
      onLine(line);
    }
  });
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  return lines;
}
