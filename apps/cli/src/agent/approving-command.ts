import { entryFor, readApprovalEntries, type ApprovalEntry, type AskedFor } from './approval-entry.js';
import { splitList } from './split-list.js';

/**
 * The command line that does the same with a yes to what is asked, for the skill and the content for which it is asked.
 *
 * @param words those of the command line, without the program.
 */
export function approvingCommand(words: readonly string[], asked: AskedFor): readonly string[] {
  const end = words.indexOf('--');
  const options = end === -1 ? words : words.slice(0, end);
  const rest = end === -1 ? [] : words.slice(end);
  const approved: string[] = [];
  const others: string[] = [];
  for (let at = 0; at < options.length; at += 1) {
    const word = options[at] ?? '';
    if (word === '--approve') {
      at += 1;
      approved.push(options[at] ?? '');
    } else if (word.startsWith('--approve=')) approved.push(word.slice('--approve='.length));
    else others.push(word);
  }
  const before = approved.flatMap(splitList).filter((entry) => !['', 'ask', 'never'].includes(entry));
  const now = entryFor(asked);
  const kept = before.filter((entry) => !isReplaced(entry, now));
  return ['skills', ...others, '--approve', [...kept, now].join(','), ...rest];
}

/** Of one tool and one skill, the newest content is the one that is allowed; of a tool alone, each use that was. */
function isReplaced(before: string, now: string): boolean {
  if (before === now) return true;
  const [one, other] = [before, now].map(onlyEntry);
  return (
    other?.skill !== undefined &&
    one?.tool === other?.tool &&
    one?.skill?.normalize('NFC') === other?.skill?.normalize('NFC')
  );
}

function onlyEntry(text: string): ApprovalEntry | undefined {
  return readApprovalEntries(text)[0];
}

/**
 * The command line with one more flag.
 *
 * @param words those of the command line, without the program.
 */
export function withFlag(words: readonly string[], flag: string): readonly string[] {
  const end = words.indexOf('--');
  return ['skills', ...(end === -1 ? [...words, flag] : words.toSpliced(end, 0, flag))];
}

/** Words as one types them into a shell. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}
