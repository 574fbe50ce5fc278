import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own, which the caller removes. */
export async function makeTemporaryFolder(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'skillpack-registry-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A folder that is removed when the present test ends. */
export async function temporaryFolder(): Promise<string> {
  const { path, remove } = await makeTemporaryFolder();
  onTestFinished(remove);
  return path;
}
