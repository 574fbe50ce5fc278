import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core/listing';
import { errnoOf } from './errno.js';

// As npm has it, with the upper case of old names: no part of it is `.` or `..`.
const packageName = /^(?:@[a-z0-9~_-][a-z0-9._~-]*\/)?[a-z0-9~_-][a-z0-9._~-]*$/iu;
const longestName = 214;

/**
 * The folder of an installed npm package as Node finds it from a file, without running or asking anything of the
 * package: whatever its `exports` say. `undefined` when it is not installed there.
 *
 * @param from an absolute path or the URL of a file, which need not be there.
 * @throws `USAGE` for what is no name of a package.
 */
export function findPackage(name: string, from: string | URL): string | undefined {
  if (name.length > longestName || !packageName.test(name)) {
    throw new SkillsError('USAGE', `${quoted(name)} is no name of an npm package.`, {
      hint: 'Names look like pdf-skills or @acme/pdf-skills.',
      data: { name },
    });
  }
  const require = requireFrom(from);
  for (const folder of require.resolve.paths(name) ?? []) {
    const found = join(folder, name);
    if (existsSync(join(found, 'package.json'))) return found;
  }
  // A program may have another way of finding packages than folders, as Yarn's Plug'n'Play has.
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch (error) {
    errnoOf(error);
    return undefined;
  }
}

function requireFrom(from: string | URL): NodeJS.Require {
  try {
    // Loaded here alone: to list skills, nobody looks for a package.
    return process.getBuiltinModule('node:module').createRequire(from);
  } catch (cause) {
    throw new SkillsError('USAGE', `${quoted(String(from))} is no place to look for packages from.`, {
      hint: 'Say import.meta.url, or the absolute path of a file.',
      cause,
    });
  }
}
