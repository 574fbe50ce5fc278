import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/**
 * What inspect-archive.py says of each archive, in their order; it shares no code with our reader.
 *
 * @returns `undefined` when there is no Python here.
 */
export async function inspectArchives(archives: readonly Buffer[]): Promise<ReadonlySet<string>[] | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'skillpack-'));
  try {
    const paths: string[] = [];
    for (const [index, bytes] of archives.entries()) {
      const path = join(folder, String(index));
      await writeFile(path, bytes);
      paths.push(path);
    }
    const output = await runPython(paths.map((path) => `${JSON.stringify(path)}\n`).join(''));
    const lines = output?.trimEnd().split('\n');
    return lines?.map((line) => new Set(JSON.parse(line) as string[])); // A list of texts, as the script says.
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function runPython(input: string): Promise<string | undefined> {
  const env = { ...process.env, PYTHONUTF8: '1' };
  const child = spawn('python3', [join(import.meta.dirname, 'inspect-archive.py')], { env });
  const ended = new Promise<number | null | undefined>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve(undefined);
      else reject(error);
    });
    child.once('close', resolve);
  });
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === undefined) return undefined;
  if (code !== 0) throw new Error(`inspect-archive.py ended with ${code}: ${errors}`);
  return output;
}
