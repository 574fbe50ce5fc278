import { copyFile, cp, mkdir, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/**
 * Copies a built command with what it needs, and returns the copy, so that a build that somebody starts meanwhile changes
 * nothing of what is measured.
 */
export async function keepCommand(command: string, folder: string): Promise<string> {
  const built = dirname(command);
  const app = dirname(built);
  await mkdir(folder, { recursive: true });
  await cp(built, join(folder, basename(built)), { recursive: true });
  await copyFile(join(app, 'package.json'), join(folder, 'package.json'));
  await symlink(join(app, 'node_modules'), join(folder, 'node_modules'));
  return join(folder, basename(built), basename(command));
}
