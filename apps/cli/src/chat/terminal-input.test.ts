import { PassThrough } from 'node:stream';
import { clearScreenDown, cursorTo, moveCursor } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { openTerminalInput, type ReadLine, type TerminalInput } from './terminal-input.js';

interface Keyboard {
  readonly input: TerminalInput;
  type(text: string): void;
  /** Everything that was written to the screen. */
  written(): string;
  /** Whether the terminal was last told to give every key as it is. */
  raw(): boolean | undefined;
  readonly keys: PassThrough & { setRawMode: (wanted: boolean) => void };
}

const opened: TerminalInput[] = [];
afterEach(() => {
  for (const input of opened.splice(0)) input[Symbol.dispose]();
});

/** A terminal that is none: what is typed goes in, what is drawn comes out. */
function openKeyboard(): Keyboard {
  let raw: boolean | undefined;
  const keys = Object.assign(new PassThrough(), {
    setRawMode: (wanted: boolean) => {
      raw = wanted;
    },
  });
  const screen = new PassThrough();
  let written = '';
  screen.setEncoding('utf8').on('data', (text: string) => {
    written += text;
  });
  const output = Object.assign(screen, {
    columns: 80,
    moveCursor: (x: number, y: number) => moveCursor(screen, x, y),
    cursorTo: (x: number) => cursorTo(screen, x),
    clearScreenDown: () => clearScreenDown(screen),
  });
  // Casts: streams that can do what is asked of a terminal here.
  const input = openTerminalInput(keys as unknown as ReadStream, output as unknown as WriteStream);
  // Else it is the signal.
  input.onInterrupt = () => undefined;
  opened.push(input);
  return { input, keys, type: (text) => void keys.write(text), written: () => written, raw: () => raw };
}

const read = async (input: TerminalInput): Promise<ReadLine> => input.readLine({ prompt: '> ' });

const quiet = async (milliseconds: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });

test('lines that are typed at once are read one after the other', async () => {
  const { input, type } = openKeyboard();
  type('one\rtwo\rth');
  expect(await read(input)).toMatchObject({ kind: 'line', text: 'one' });
  expect(await read(input)).toMatchObject({ kind: 'line', text: 'two' });
  type('ree\r');
  expect(await read(input)).toMatchObject({ kind: 'line', text: 'three' });
});

test('Ctrl-C while a line is edited says whether it was empty; Ctrl-D on an empty one is the end', async () => {
  const { input, type } = openKeyboard();
  const first = read(input);
  type('some\u0003\u0003\u0004');
  expect(await first).toEqual({ kind: 'interrupt', empty: false });
  expect(await read(input)).toEqual({ kind: 'interrupt', empty: true });
  expect(await read(input)).toEqual({ kind: 'end' });
});

test('Ctrl-C while nobody reads is told at once, and what was typed before it counts for nothing', async () => {
  const { input, type } = openKeyboard();
  let told = 0;
  input.onInterrupt = () => {
    told += 1;
  };
  type('lost\r');
  type('lost too\u0003kept\r');
  await quiet(10);
  expect(told).toBe(1);
  expect(await read(input)).toMatchObject({ text: 'kept' });
});

test('Ctrl-C that came together with a line is told once somebody works on that line', async () => {
  const { input, type } = openKeyboard();
  const line = read(input);
  type('work\rmore\r\u0003kept\r');
  expect(await line).toMatchObject({ text: 'work' });
  let told = 0;
  input.onInterrupt = () => {
    told += 1;
  };
  expect(told).toBe(1);
  expect(await read(input)).toMatchObject({ text: 'kept' });
});

test('a question is not answered by what was typed before, which the next line has', async () => {
  const { input, type } = openKeyboard();
  type('y\r');
  await quiet(5);
  const answer = input.readLine({ prompt: '? ', fresh: true });
  type('es\r');
  await quiet(900);
  type('n\r');
  expect(await answer).toMatchObject({ text: 'n' });
  expect(await read(input)).toMatchObject({ text: 'y' });
  expect(await read(input)).toMatchObject({ text: 'es' });
});

test('an abort ends the reading', async () => {
  const { input } = openKeyboard();
  const controller = new AbortController();
  const reading = input.readLine({ prompt: '> ', signal: controller.signal });
  controller.abort();
  expect(await reading).toEqual({ kind: 'end' });
  expect(await input.readLine({ prompt: '> ', signal: controller.signal })).toEqual({ kind: 'end' });
});

test('a pasted text is whole where its mark stood, and the mark is what the history gets', async () => {
  const { input, type } = openKeyboard();
  type('a \u001B[200~b\nc\u001B[201~ d\r');
  expect(await read(input)).toEqual({ kind: 'line', typed: 'a [pasted 1: 2 lines] d', text: 'a b\nc d' });
});

test('the terminal is told of pastes while it is open, and no longer', () => {
  const { input, written } = openKeyboard();
  expect(written()).toBe('\u001B[?2004h');
  input[Symbol.dispose]();
  input[Symbol.dispose]();
  expect(written()).toBe('\u001B[?2004h\u001B[?2004l');
});

test('whatever keys come in whatever pieces, the line after them is read', async () => {
  const keys = ['\u001B', '\u001B[A', '\u001B[D', '\u001B[200~', '\u001B[201~', '\u001B\r', '\t', '\n', '\r', '\u0001', '\u0003', '\u0015', '\u0017', '\u0019', '\u007F', '\u009B', 'a', '漢', '👍', ' ', '/']; // prettier-ignore
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(fc.constantFrom(...keys)).map((one) => one.join('')), { maxLength: 6 }), async (pieces) => {
      const { input, type } = openKeyboard();
      const texts: string[] = [];
      const reading = (async () => {
        for (;;) {
          const line = await input.readLine({ prompt: '> ', complete: async (typed) => ({ candidates: ['/help '], typed }) });
          if (line.kind === 'line') texts.push(line.text);
          if (line.kind === 'end' || (line.kind === 'line' && line.text.endsWith('marker'))) return;
        }
      })();
      for (const piece of pieces) {
        type(piece);
        await quiet(0);
      }
      type('\u001B[201~');
      // A single escape counts as a key of its own after a moment.
      await quiet(60);
      type('\u0015\u000Bmarker\r');
      await reading;
      expect(texts.at(-1)).toMatch(/marker$/u);
      input[Symbol.dispose]();
    }),
    { numRuns: 60 },
  );
}); // prettier-ignore

test('of what is typed while nobody reads, 64 KiB wait, and nothing more', async () => {
  const { input, type } = openKeyboard();
  for (let line = 0; line < 64; line += 1) type(`${'x'.repeat(1023)}\r`);
  type('too much\r');
  await quiet(10);
  for (let line = 0; line < 64; line += 1) expect((await read(input)).kind).toBe('line');
  type('and more\r');
  expect(await read(input)).toMatchObject({ kind: 'line', text: 'and more' });
});

test('the terminal is put back where the process ends in another way, and only as long as it is open', () => {
  const before = new Set(process.listeners('exit'));
  const { input, written, raw } = openKeyboard();
  const added = process.listeners('exit').filter((listener) => !before.has(listener));
  expect([added.length, raw()]).toEqual([1, true]);
  added[0]?.call(process, 0);
  expect(raw()).toBe(false);
  expect(written().endsWith('\u001B[?2004l')).toBe(true);
  input[Symbol.dispose]();
  expect(process.listeners('exit')).toEqual([...before]);
});

test('a terminal that went away is closed without an error that nobody takes', () => {
  const { input, keys } = openKeyboard();
  keys.setRawMode = () => {
    keys.emit('error', new Error('setRawMode EIO'));
  };
  expect(() => input[Symbol.dispose]()).not.toThrow();
});
