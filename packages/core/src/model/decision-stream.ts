import { skipThoughts, type ThoughtFilter } from './skip-thoughts.js';

/** A piece of a text within a decision that is still being written. */
export interface StreamedText {
  /** Where it stands: `action.content`. Items of lists have their number, and a dot within a key a backslash. */
  readonly path: string;
  /** Never empty, and never half of a surrogate pair. */
  readonly delta: string;
}

/** What of a decision is told while it arrives. */
export interface DecisionStreamOptions {
  /** The texts to tell of, by path. @default `action.content` and `content`: the final answer */
  readonly paths?: readonly string[] | undefined;
}

/** Takes a model's answer as it arrives. */
export interface DecisionStream {
  /** The next piece, cut anywhere. Never throws. */
  push(text: string): void;
}

const finalAnswer = ['action.content', 'content'];
const maxDepth = 64;
const maxKeyLength = 256;
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

interface Level {
  readonly list: boolean;
  /** In an object the key of the value that comes or has come; in a list how many items came before. */
  key: string;
  index: number;
}

/**
 * Reads the texts of a decision while a model writes it, for a screen that shows an answer as it grows. It reads the
 * first object of what arrives, behind prose and thoughts, without judging it. The pieces of a text together are what
 * `parseDecision` reads there, where it accepts that object.
 *
 * Nothing may act on what it tells: whether there is a decision at all is known when the whole answer is.
 */
export function createDecisionStream(
  onText: (text: StreamedText) => void,
  options: DecisionStreamOptions = {},
): DecisionStream {
  const reader = new TextReader(onText, new Set(options.paths ?? finalAnswer));
  const thoughts: ThoughtFilter = skipThoughts();
  return { push: (text) => reader.read(thoughts.push(text)) };
}

class TextReader {
  readonly #tell: (text: StreamedText) => void;
  readonly #paths: ReadonlySet<string>;
  readonly #open: Level[] = [];
  #state: 'before' | 'between' | 'key' | 'text' | 'done' = 'before';
  #keyNext = false;
  /** Where the text that is being read stands, if it is to be told of. */
  #path: string | undefined;
  #key = '';
  /** What was read of an escape: a backslash and up to five characters. */
  #escape = '';
  #delta = '';

  constructor(tell: (text: StreamedText) => void, paths: ReadonlySet<string>) {
    this.#tell = tell;
    this.#paths = paths;
  }

  read(text: string): void {
    for (let at = 0; at < text.length && this.#state !== 'done'; at += 1) {
      const character = text.charAt(at);
      if (this.#state === 'key' || this.#state === 'text') this.#inString(character);
      else if (this.#state === 'between') this.#betweenStrings(character);
      else if (character === '{') {
        this.#state = 'between';
        this.#enter(false);
      }
    }
    this.#flush(false);
  }

  #betweenStrings(character: string): void {
    const level = this.#open.at(-1);
    switch (character) {
      case '"':
        this.#state = this.#keyNext ? 'key' : 'text';
        this.#key = '';
        this.#path = this.#keyNext ? undefined : this.#watchedPath();
        break;
      case '{':
      case '[':
        this.#enter(character === '[');
        break;
      case '}':
      case ']':
        this.#open.pop();
        this.#keyNext = false;
        if (this.#open.length === 0) this.#state = 'done';
        break;
      case ',':
        if (level !== undefined) level.index += 1;
        this.#keyNext = level?.list === false;
        break;
      default:
    }
  }

  #enter(list: boolean): void {
    this.#open.push({ list, key: '', index: 0 });
    this.#keyNext = !list;
    if (this.#open.length > maxDepth) this.#state = 'done';
  }

  #watchedPath(): string | undefined {
    const path = this.#open.map(({ list, key, index }) => (list ? String(index) : key)).join('.');
    return this.#paths.has(path) ? path : undefined;
  }

  #inString(character: string): void {
    if (this.#escape !== '') this.#inEscape(character);
    else if (character === '\\') this.#escape = character;
    else if (character === '"') this.#endString();
    else this.#take(character);
  }

  #inEscape(character: string): void {
    this.#escape += character;
    const [, letter = ''] = this.#escape;
    if (letter === 'u' && this.#escape.length < 6) return;
    const code = letter === 'u' ? Number.parseInt(this.#escape.slice(2), 16) : Number.NaN;
    this.#escape = '';
    if (letter === 'u') this.#take(Number.isNaN(code) ? '' : String.fromCharCode(code));
    else this.#take(escapes[letter] ?? letter);
  }

  #take(character: string): void {
    if (this.#state === 'text') {
      if (this.#path !== undefined) this.#delta += character;
    } else if (this.#key.length < maxKeyLength) this.#key += character === '.' ? '\\.' : character;
  }

  #endString(): void {
    const level = this.#open.at(-1);
    if (this.#state === 'text') this.#flush(true);
    else if (level !== undefined) level.key = this.#key;
    this.#keyNext = false;
    this.#path = undefined;
    this.#state = 'between';
  }

  #flush(ended: boolean): void {
    const path = this.#path;
    // The other half may come with the next piece.
    const held = ended ? '' : (/[\uD800-\uDBFF]$/u.exec(this.#delta)?.[0] ?? '');
    const delta = this.#delta.slice(0, this.#delta.length - held.length).toWellFormed();
    this.#delta = held;
    if (path !== undefined && delta !== '') this.#tell({ path, delta });
  }
}
