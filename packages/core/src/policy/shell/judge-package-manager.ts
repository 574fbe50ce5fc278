import { isLong } from './judge-options.js';
import { UnreadableLine } from './unreadable-line.js';

/** Other names can be those of programs, and what only begins like one of them is read as it by some. */
const subcommands: ReadonlySet<string> = new Set(
  (
    'run run-script test t tst start stop restart install i ci add list ls ll la outdated audit view info show pack ' +
    'version prune dedupe ddp uninstall remove rm un r update up upgrade help fund why explain root bin prefix whoami ' +
    'ping search query doctor licenses --version -v --help -h'
  ).split(' '),
);

/** By these, another shell, another program, or another folder with other scripts, is chosen. */
const long = (
  'script-shell shell editor viewer browser git call node-options init-module cwd userconfig globalconfig prefix dir ' +
  'use-yarnrc use-node-version config node-gyp python modules-folder link-folder'
).split(' ');

/**
 * Judges what a package manager is told. That it runs scripts of the package is what it is for.
 *
 * @throws UnreadableLine where it would start what the words alone do not say
 */
export function judgePackageManager(name: string, rest: readonly string[]): void {
  const end = rest.indexOf('--');
  const own = end < 0 ? rest : rest.slice(0, end);
  const first = own[0] ?? 'help';
  if (!subcommands.has(first) || own.some((word) => isLong(word, long) || /^-[^-]*[cC]|^-+config\./u.test(word))) {
    throw new UnreadableLine(`“${name}” is told to start something, or to work with other settings.`);
  }
}
