import { PassThrough } from 'node:stream';
import { createInterface, type Interface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Completion } from './complete-line.js';
import { createPastedTexts } from './pasted-texts.js';
import { bracketedPaste, createKeySplitter, type TypedPiece } from './split-keys.js';

/** How a line is read. */
export interface ReadLineOptions {
  readonly prompt: string;
  /** Earlier lines, the newest first. @default none */
  readonly history?: readonly string[] | undefined;
  /** @default nothing is completed */
  readonly complete?: ((line: string) => Promise<Completion>) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Whether what was typed before counts for nothing here: it waits for the line after. @default false */
  readonly fresh?: boolean | undefined;
}

/** What came of reading a line. */
export type ReadLine =
  /** `typed` has marks where `text` has what was pasted. */
  | { readonly kind: 'line'; readonly text: string; readonly typed: string }
  /** Ctrl-C; whether anything stood on the line. */
  | { readonly kind: 'interrupt'; readonly empty: boolean }
  /** Ctrl-D on an empty line, the end of the input, or an abort. */
  | { readonly kind: 'end' };

/** The keyboard of a terminal. What is typed while nobody reads waits for the next who does. */
export interface TerminalInput extends Disposable {
  /** One at a time. */
  readLine(options: ReadLineOptions): Promise<ReadLine>;
  /** Waits until what was typed so far has come in: the terminal may still hold it, also from before it was opened. */
  settle(): Promise<void>;
  /** Prints lines above the one that is edited. */
  printAbove(text: string): void;
  /** Told of Ctrl-C while nobody reads. @default the signal that it is everywhere else */
  onInterrupt: (() => void) | undefined;
}

const interruptKey = '\u0003';
const suspendKey = '\u001A';
const mostWaiting = 64 * 1024;
/** Milliseconds. Whoever was typing until now does not answer a question that has just come up. */
const typing = { before: 1000, quiet: 500 } as const;
/** Milliseconds in which comes in what the terminal holds. */
const held = 60;

/** Opens it: raw, with bracketed paste, until it is disposed. */
export function openTerminalInput(input: ReadStream, output: WriteStream): TerminalInput {
  return new RawInput(input, output);
}

interface Reader {
  readonly feed: PassThrough;
  readonly line: Interface;
  /** Whether it was given the end of its line, as far as one can tell. */
  full: boolean;
}

class RawInput implements TerminalInput {
  #onInterrupt: (() => void) | undefined;
  readonly #input: ReadStream;
  readonly #output: WriteStream;
  readonly #split = createKeySplitter();
  readonly #pasted = createPastedTexts();
  #waiting: TypedPiece[] = [];
  /** What is not for the present reader. */
  #aside: TypedPiece[] = [];
  #quiet: NodeJS.Timeout | undefined;
  #typedAt = -Infinity;
  #reader: Reader | undefined;
  #gone = false;
  #ended = false;

  constructor(input: ReadStream, output: WriteStream) {
    this.#input = input;
    this.#output = output;
    input.setEncoding('utf8');
    input.on('data', this.#take);
    input.on('end', this.#end);
    input.on('error', this.#end);
    this.#makeRaw(true);
    // Also when the process ends in another way: what is typed in the shell afterwards is not pasted.
    process.once('exit', this.#leave);
  }

  async readLine(options: ReadLineOptions): Promise<ReadLine> {
    if (this.#gone || this.#ended || options.signal?.aborted === true) return { kind: 'end' };
    const feed = new PassThrough();
    const line = createInterface({
      input: feed,
      output: this.#output,
      terminal: true,
      prompt: options.prompt,
      history: [...(options.history ?? [])],
      historySize: 1000,
      escapeCodeTimeout: 50,
      ...(options.complete === undefined ? {} : { completer: completerOf(options.complete) }),
    });
    this.#reader = { feed, line, full: false };
    if (options.fresh === true) this.#putAside();
    try {
      return await this.#readFrom(line, options);
    } finally {
      this.#reader = undefined;
      clearTimeout(this.#quiet);
      this.#quiet = undefined;
      this.#waiting = [...this.#aside, ...this.#waiting];
      this.#aside = [];
      line.close();
      feed.destroy();
    }
  }

  async settle(): Promise<void> {
    await wait(held);
  }

  get onInterrupt(): (() => void) | undefined {
    return this.#onInterrupt;
  }

  set onInterrupt(told: (() => void) | undefined) {
    this.#onInterrupt = told;
    // It may have come together with the line that is worked on now.
    const at = this.#waiting.findLastIndex(hasInterrupt);
    const piece = this.#waiting[at];
    if (told === undefined || piece === undefined) return;
    this.#waiting = [afterInterrupt(piece), ...this.#waiting.slice(at + 1)];
    told();
  }

  #interrupt(): void {
    if (this.#onInterrupt === undefined) process.kill(process.pid, 'SIGINT');
    else this.#onInterrupt();
  }

  printAbove(text: string): void {
    const line = this.#reader?.line;
    if (line === undefined) {
      this.#output.write(`${text}\n`);
      return;
    }
    const { rows } = line.getCursorPos();
    this.#output.moveCursor(0, -rows);
    this.#output.cursorTo(0);
    this.#output.clearScreenDown();
    // It moves as many rows up again before it draws the line.
    this.#output.write(`${text}\n${'\n'.repeat(rows)}`);
    line.prompt(true);
  }

  [Symbol.dispose](): void {
    if (this.#ended) return;
    this.#ended = true;
    process.off('exit', this.#leave);
    // A terminal that is gone says so as an error, which somebody has to take.
    this.#leave();
    this.#input.off('data', this.#take);
    this.#input.off('end', this.#end);
    this.#input.off('error', this.#end);
    this.#input.pause();
  }

  async #readFrom(line: Interface, { signal }: ReadLineOptions): Promise<ReadLine> {
    const over = new AbortController();
    try {
      return await new Promise<ReadLine>((resolve) => {
        signal?.addEventListener('abort', () => resolve({ kind: 'end' }), { signal: over.signal });
        line.once('line', (typed) => resolve({ kind: 'line', typed, text: this.#pasted.expand(typed) }));
        line.once('SIGINT', () => resolve({ kind: 'interrupt', empty: line.line === '' }));
        line.once('close', () => resolve({ kind: 'end' }));
        line.on('SIGTSTP', () => this.#suspend(line));
        line.prompt();
        this.#feed();
      });
    } finally {
      over.abort();
    }
  }

  readonly #take = (text: string): void => {
    for (const piece of this.#split(text)) {
      if (this.#reader === undefined) this.#typedAt = performance.now();
      if (this.#quiet !== undefined && !hasInterrupt(piece)) {
        this.#aside.push(piece);
        this.#quiet.refresh();
      } else if (this.#reader === undefined && hasInterrupt(piece)) {
        this.#waiting = [afterInterrupt(piece)];
        this.#interrupt();
      } else if (this.#reader === undefined && hasSuspend(piece)) {
        this.#waiting.push({ kind: 'keys', text: piece.text.replaceAll(suspendKey, '') });
        this.#suspend();
      } else if (sizeOf(this.#waiting) + piece.text.length <= mostWaiting || piece.kind === 'paste') {
        this.#waiting.push(piece);
      }
    }
    this.#feed();
  };

  #putAside(): void {
    this.#aside = this.#waiting;
    this.#waiting = [];
    if (performance.now() - this.#typedAt > typing.before) return;
    this.#quiet = setTimeout(() => {
      this.#quiet = undefined;
    }, typing.quiet);
  }

  /** Gives the reader what waits, up to the end of its line: the rest is for the next one. */
  #feed(): void {
    while (this.#reader?.full === false && this.#waiting.length > 0) {
      const [piece, ...others] = this.#waiting;
      if (piece === undefined) return;
      this.#waiting = others;
      if (piece.kind === 'paste') {
        giveEach(this.#pasted.mark(piece.text), this.#reader.feed);
        continue;
      }
      // oxlint-disable-next-line eslint/no-control-regex -- Ctrl-C and Ctrl-D end a line as well
      const end = piece.text.search(/[\r\n\u0003\u0004]/u);
      const given = end === -1 ? piece.text : piece.text.slice(0, end + 1);
      if (given.length < piece.text.length) {
        this.#waiting = [{ kind: 'keys', text: piece.text.slice(given.length) }, ...others];
      }
      giveEach(given, this.#reader.feed);
      if (end === -1) continue;
      this.#reader.full = true;
      this.#goOnWith(this.#reader);
      return;
    }
  }

  /** Some ends leave the line as it is, as Ctrl-D within it and Alt-Enter do: then the reader takes more. */
  #goOnWith(reader: Reader): void {
    setTimeout(() => {
      if (this.#reader !== reader) return;
      // While candidates are looked for, nothing is read.
      if (reader.feed.readableLength > 0) this.#goOnWith(reader);
      else {
        reader.full = false;
        this.#feed();
      }
    }, 1);
  }

  /** The terminal is gone. */
  readonly #end = (): void => {
    this.#gone = true;
    this.#reader?.line.close();
  };

  /** @param line the one that is edited, drawn again afterwards. */
  #suspend(line?: Interface): void {
    this.#makeRaw(false);
    process.once('SIGCONT', () => {
      if (this.#ended) return;
      this.#makeRaw(true);
      line?.prompt(true);
    });
    process.kill(process.pid, 'SIGTSTP');
  }

  #makeRaw(raw: boolean): void {
    this.#input.setRawMode(raw);
    this.#output.write(raw ? bracketedPaste.on : bracketedPaste.off);
  }

  readonly #leave = (): void => this.#makeRaw(false);
}

function hasInterrupt({ kind, text }: TypedPiece): boolean {
  return kind === 'keys' && text.includes(interruptKey);
}

/** Windows stops no process at a key. */
function hasSuspend({ kind, text }: TypedPiece): boolean {
  return process.platform !== 'win32' && kind === 'keys' && text.includes(suspendKey);
}

/** As terminals do: what was typed before it counts for nothing. */
function afterInterrupt({ text }: TypedPiece): TypedPiece {
  return { kind: 'keys', text: text.slice(text.lastIndexOf(interruptKey) + 1) };
}

/** One by one: of a longer text, readline takes a tab for one that was pasted, and loses count of the rows. */
function giveEach(text: string, feed: PassThrough): void {
  for (const character of text) feed.write(character);
}

function sizeOf(pieces: readonly TypedPiece[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}

type Completer = (line: string, done: (error: null, result: [string[], string]) => void) => void;

function completerOf(complete: NonNullable<ReadLineOptions['complete']>): Completer {
  return (line, done) => {
    complete(line).then(
      ({ candidates, typed }) => done(null, [[...candidates], typed]),
      // What cannot be completed stays as it is.
      () => done(null, [[], line]),
    );
  };
}
