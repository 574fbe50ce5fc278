import { spawn } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Installs the programs of others into a folder outside of the workspace's own dependencies. */
export async function installTools(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await copyFile(join(import.meta.dirname, 'tools', 'package.json'), join(folder, 'package.json'));
  const child = spawn('npm', ['install', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`npm could not install the tools in ${folder}.`);
}
