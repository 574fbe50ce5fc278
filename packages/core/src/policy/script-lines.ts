import type { JudgedScript } from './tool-use.js';

const interpreters: ReadonlyMap<string, readonly (readonly string[])[]> = new Map([
  ['.py', [['python'], ['python3'], ['uv', 'run']]],
  ['.js', [['node']]],
  ['.mjs', [['node']]],
  ['.cjs', [['node']]],
  ['.ts', [['node']]],
  ['.mts', [['node']]],
  ['.cts', [['node']]],
  ['.sh', [['bash'], ['sh']]],
  ['.bash', [['bash'], ['sh']]],
  ['.rb', [['ruby']]],
  ['.pl', [['perl']]],
]);

/**
 * The commands by which somebody would run a script at a prompt, as words: by itself, or by what its name says runs it.
 *
 * @param from `skill`: from its own folder, too. `anywhere`: by its absolute path alone, since for whoever writes rules
 * for a workspace, `scripts/build.sh` is the workspace's.
 */
export function scriptLines(
  { path, folder, args }: JudgedScript,
  from: 'skill' | 'anywhere',
): readonly (readonly string[])[] {
  const absolute = `${folder.replace(/\/+$/u, '')}/${path}`;
  // Without a slash, a shell looks for a program: a script called `git` is not what `git:*` means.
  const own = path.includes('/') ? [path, `./${path}`] : [`./${path}`];
  const itself = from === 'skill' ? [...own, absolute] : [absolute];
  const handed = from === 'skill' ? [path, `./${path}`, absolute] : [absolute];
  const extension = /\.[a-z]+$/u.exec(path)?.[0] ?? '';
  return [
    ...itself.map((program) => [program, ...args]),
    ...(interpreters.get(extension) ?? []).flatMap((words) => handed.map((file) => [...words, file, ...args])),
  ];
}
