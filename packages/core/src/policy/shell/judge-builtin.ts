import { UnreadableLine } from './unreadable-line.js';

/** Builtins that change what names, words or later commands mean, or read commands from elsewhere. */
const changers: ReadonlySet<string> = new Set(
  (
    'alias unalias hash enable export declare typeset local readonly set shopt let mapfile readarray read getopts unset ' +
    'complete compgen compopt bind fc jobs trap source . setopt unsetopt autoload zmodload emulate'
  ).split(' '),
);

/**
 * Options by which a builtin computes a name, and words with which some shells reckon where bash does not: computing can
 * start commands.
 */
const computing: ReadonlyMap<string, RegExp> = new Map([
  ['printf', /^-v|^[^[]*\[[^$`]*[$`]/u],
  ['test', /^-[vR]$|^[^[]*\[[^$`]*[$`]/u],
  ['[', /^-[vR]$|^[^[]*\[[^$`]*[$`]/u],
  ['wait', /^-/u],
]);

/** @throws UnreadableLine for a builtin of the shell after which the rest of the line is not what it seems */
export function judgeBuiltin(name: string, rest: readonly string[]): void {
  if (changers.has(name))
    throw new UnreadableLine(`“${name}” changes what other commands do, or reads them elsewhere.`);
  const option = computing.get(name);
  if (option !== undefined && rest.some((word) => option.test(word))) {
    throw new UnreadableLine(`“${name}” has a word by which it computes a name.`);
  }
}
