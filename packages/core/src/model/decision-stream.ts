import type { AgentAction } from './action.js';
import { agentActionKinds } from './decision-schema.js';
import { maxAnswerLength, parseDecision } from './parse-decision.js';
import { skipThoughts, type ThoughtFilter } from './skip-thoughts.js';

/** A piece of a text within a decision that is still being written. */
export interface StreamedText {
  /** Where it stands: `action.content`. Items of lists have their number, and a dot within a key a backslash. */
  readonly path: string;
  /** Never empty, and never half of a surrogate pair. */
  readonly delta: string;
}

/** The actions that say something to a person. */
export type SpokenAction = 'final_answer' | 'ask_user';

/** What of a decision is told while it arrives. */
export interface DecisionStreamOptions {
  /** The actions whose words are told. @default `final_answer`; none where `paths` are given */
  readonly actions?: readonly SpokenAction[] | undefined;
  /** Other texts to tell of, by path, whatever the action is. @default none */
  readonly paths?: readonly string[] | undefined;
}

/** Takes a model's answer as it arrives. */
export interface DecisionStream {
  /** The next piece, cut anywhere. Never throws. */
  push(text: string): void;
}

const maxDepth = 64;
const maxKeyLength = 256;
const maxObjects = 64;
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Where words stand that can be told as they grow, and what the kind beside them has to be. */
const wordsAt: ReadonlyMap<string, readonly [kindAt: string, kind: SpokenAction]> = new Map([
  ['action.content', ['action.kind', 'final_answer']],
  ['action.question', ['action.kind', 'ask_user']],
  ['content', ['kind', 'final_answer']],
  ['question', ['kind', 'ask_user']],
]);

interface Level {
  readonly list: boolean;
  /** In an object the key of the value that comes or has come; in a list how many items came before. */
  key: string;
  index: number;
}

/**
 * Reads the texts of a decision while a model writes it, for a screen that shows an answer as it grows, behind prose,
 * thoughts and objects that are no decision. The pieces of a text together are what `parseDecision` reads there, where
 * it accepts the answer. Words are told as they grow where the kind of their action stands before them, in the form of
 * the protocol or with the action alone; those of other forms in one piece, as those of the protocol, once their object
 * ends. Paths are told as they are written.
 *
 * Nothing may act on what it tells: whether there is a decision at all is known when the whole answer is.
 */
export function createDecisionStream(
  onText: (text: StreamedText) => void,
  options: DecisionStreamOptions = {},
): DecisionStream {
  const { paths = [], actions = options.paths === undefined ? ['final_answer'] : [] } = options;
  const reader = new TextReader(onText, { actions: new Set<string>(actions), paths: new Set(paths) });
  const thoughts: ThoughtFilter = skipThoughts();
  return { push: (text) => reader.read(thoughts.push(text)) };
}

interface Told {
  readonly actions: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
}

class TextReader {
  readonly #tell: (text: StreamedText) => void;
  readonly #told: Told;
  readonly #open: Level[] = [];
  #state: 'before' | 'between' | 'key' | 'text' | 'done' = 'before';
  #keyNext = false;
  /** Where the text that is being read stands, if it is one of the first levels. */
  #path: string | undefined;
  /** Whether it is told. */
  #telling = false;
  /** Whether a text of this value was told, be it empty. */
  #wasTold = false;
  /** The value so far, while nothing of it was told. */
  #written = '';
  #objects = 0;
  /** The kinds that its actions have. */
  readonly #kinds = new Map<string, string>();
  /** What was read of a key, or of a text that is not told. */
  #key = '';
  /** What was read of an escape: a backslash and up to five characters. */
  #escape = '';
  #delta = '';

  constructor(tell: (text: StreamedText) => void, told: Told) {
    this.#tell = tell;
    this.#told = told;
  }

  read(text: string): void {
    let from = 0;
    for (let at = 0; at < text.length && this.#state !== 'done'; at += 1) {
      const character = text.charAt(at);
      if (this.#state === 'before') {
        if (character !== '{' && character !== '[') continue;
        from = at;
        this.#state = 'between';
        this.#enter(character === '[');
      } else if (this.#state === 'between') {
        this.#betweenStrings(character);
        if (this.#open.length > 0) continue;
        this.#write(text.slice(from, at + 1));
        this.#endValue();
      } else this.#inString(character);
    }
    this.#flush(false);
    if (this.#open.length > 0) this.#write(text.slice(from));
  }

  #write(text: string): void {
    if (this.#wasTold) return;
    this.#written += text;
    if (this.#written.length > maxAnswerLength) this.#state = 'done';
  }

  #endValue(): void {
    const written = this.#written;
    this.#written = '';
    this.#kinds.clear();
    if (this.#state === 'done') return;
    this.#state = 'before';
    if (!written.includes('{') && !this.#wasTold) return;
    this.#objects += 1;
    const reading = this.#wasTold ? undefined : parseDecision(written, agentActionKinds);
    if (reading?.kind === 'rejected' && this.#objects < maxObjects) return;
    this.#state = 'done';
    if (reading?.kind === 'decision') this.#tellWhole(reading.decision.action);
  }

  #tellWhole(action: AgentAction): void {
    if (!this.#told.actions.has(action.kind)) return;
    if (action.kind === 'final_answer') this.#tellPiece('action.content', action.content);
    if (action.kind === 'ask_user') this.#tellPiece('action.question', action.question);
  }

  #tellPiece(path: string, delta: string): void {
    if (delta !== '') this.#tell({ path, delta });
  }

  #betweenStrings(character: string): void {
    const level = this.#open.at(-1);
    switch (character) {
      case '"':
        this.#state = this.#keyNext ? 'key' : 'text';
        this.#key = '';
        this.#path = this.#keyNext ? undefined : this.#pathHere();
        this.#telling = this.#path !== undefined && this.#isTold(this.#path);
        if (this.#telling) this.#wasTold = true;
        break;
      case '{':
      case '[':
        this.#enter(character === '[');
        break;
      case '}':
      case ']':
        // One of the other kind closes nothing.
        if (level?.list !== (character === ']')) break;
        this.#open.pop();
        this.#keyNext = false;
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
  }

  /** A decision may stand in a list of one. */
  #pathHere(): string | undefined {
    const [root] = this.#open;
    if (this.#open.length > maxDepth || (root?.list === true && root.index > 0)) return undefined;
    const levels = root?.list === true ? this.#open.slice(1) : this.#open;
    return levels.map(({ list, key, index }) => (list ? String(index) : key)).join('.');
  }

  #isTold(path: string): boolean {
    const [kindAt = '', kind] = wordsAt.get(path) ?? [];
    const spoken = kind !== undefined && this.#told.actions.has(kind) && this.#kinds.get(kindAt) === kind;
    return spoken || this.#told.paths.has(path);
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
    if (this.#state === 'text' && this.#telling) this.#delta += character;
    else if (this.#key.length < maxKeyLength) {
      this.#key += this.#state === 'key' && character === '.' ? '\\.' : character;
    }
  }

  #endString(): void {
    const level = this.#open.at(-1);
    if (this.#state === 'key') {
      if (level !== undefined) level.key = this.#key;
    } else if (this.#telling) this.#flush(true);
    else if (this.#path !== undefined && kindPaths.has(this.#path)) this.#kinds.set(this.#path, this.#key);
    this.#keyNext = false;
    this.#telling = false;
    this.#path = undefined;
    this.#state = 'between';
  }

  #flush(ended: boolean): void {
    const path = this.#path;
    // The other half may come with the next piece.
    const held = ended ? '' : (/[\uD800-\uDBFF]$/u.exec(this.#delta)?.[0] ?? '');
    const delta = this.#delta.slice(0, this.#delta.length - held.length).toWellFormed();
    this.#delta = held;
    if (path !== undefined && this.#telling) this.#tellPiece(path, delta);
  }
}

const kindPaths: ReadonlySet<string> = new Set(['action.kind', 'kind']);
