import { quoted } from '../../errors/quoted.js';
import { UnreadableLine } from './unreadable-line.js';

const reserved: ReadonlySet<string> = new Set(
  (
    'if then elif else fi for foreach while until repeat do done end case esac in function select coproc namespace ' +
    'noglob nocorrect'
  ).split(' '),
);

/** Where another program has the name already, that of GNU has a letter before it. */
const gnu = /^g(?=(?:awk|chroot|env|find|install|make|nice|nohup|sed|sort|split|stdbuf|tar|time|timeout|xargs)$)/u;

/**
 * By what a program is known, whatever folder it lies in: `git` for `/usr/bin/Git.exe`.
 *
 * @throws UnreadableLine for a word that is no usual name of a program
 */
export function programName(word: string): string {
  // Other names are of the shell's own, options in the wrong place, or made to look like another name.
  if (word !== '[' && word !== ':' && !/^[\w./][\w./+:@%,-]*$/u.test(word)) {
    throw new UnreadableLine(`${quoted(word, 40)} is not a plain name of a program.`);
  }
  if (reserved.has(word)) throw new UnreadableLine(`“${word}” begins or ends a compound command.`);
  const name = word.slice(word.lastIndexOf('/') + 1);
  // On some systems the case of the name of a file means nothing.
  const plain = name.toLowerCase().replace(/\.(?:exe|cmd|bat|com)$/u, '');
  return plain.replace(gnu, '');
}
