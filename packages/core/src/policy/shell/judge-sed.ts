import { UnreadableLine } from './unreadable-line.js';

/** Lines by number, to print, to delete or to stop at. */
const byNumber = /^(?:\d+|\$)(?:,(?:\d+|\$|\+\d+))?[pdq](?:; ?(?:\d+|\$)(?:,(?:\d+|\$|\+\d+))?[pdq])*$/u;
/** Lines by what stands in them. */
const byText = /^\/[^/\\\n]+\/(?:,\/[^/\\\n]+\/)?[pd]$/u;
/**
 * One replacement. Its delimiter stands nowhere but in its three places: then every sed that reads it at all sees the
 * same three parts, and no letter of a flag by which the result is run or written.
 */
const replacement = /^(?:\d+|\$)?(?:,(?:\d+|\$))?s([/|,#:@!])(?:(?!\1)[^\n])*\1(?:(?!\1)[^\n])*\1[gpiI0-9]*$/u;

/** @throws UnreadableLine for a script in sed that is not a plain one: some start programs and write files */
export function judgeSed(rest: readonly string[]): void {
  const scripts: (string | undefined)[] = [];
  const others: string[] = [];
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? '';
    if (/^-[nrEsuz]*e$/u.test(word) || word === '--expression') scripts.push(rest[(at += 1)]);
    else if (word.startsWith('--expression=')) scripts.push(word.slice('--expression='.length));
    else if (!word.startsWith('-')) others.push(word);
    else if (!harmless.test(word)) throw new UnreadableLine('“sed” has an option by which it could start something.');
  }
  if (scripts.length === 0) {
    scripts.push(others[0]);
    // Behind `-i`, some take an empty word for the end of the names of copies, others for the script.
    if (others[0] === '') scripts.push(others[1]);
  }
  for (const script of scripts) {
    if (script === undefined || script === '') continue;
    if (!byNumber.test(script) && !byText.test(script) && !replacement.test(script)) {
      throw new UnreadableLine('The script for “sed” could start a program or write a file.');
    }
  }
}

const harmless = /^-[nrEsuz]*i?$|^-i\.\w+$|^--(?:quiet|silent|regexp-extended|in-place|separate|null-data)$/u;
