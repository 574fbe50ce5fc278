import { visibleText } from '@skillpack/core';
import type { Style } from '../frame/style.js';
import { duration } from '../render/duration.js';
import { fitText } from '../render/text-width.js';

/** Where a status line is drawn. */
export interface StatusPorts {
  readonly output: Pick<NodeJS.WriteStream, 'write' | 'columns'>;
  readonly style: Style;
  /** Milliseconds, from anywhere. */
  readonly now: () => number;
}

/** One line of a terminal that says what is being done. */
export interface StatusLine {
  /** Begins to draw it, a moment later; where it is drawn, goes on. */
  start(): void;
  say(text: string): void;
  /** Takes it away, so that something else can be printed; it comes again. */
  clear(): void;
  stop(): void;
}

const patience = 300;
const frameTime = 200;
const widest = 70;

/** A status line that is not there yet. */
export function createStatusLine({ output, style, now }: StatusPorts): StatusLine {
  let text = '';
  let shown = '';
  let begun = 0;
  let timer: NodeJS.Timeout | undefined;
  const clear = (): void => {
    if (shown !== '') output.write('\r\u001B[2K');
    shown = '';
  };
  const draw = (): void => {
    const passed = now() - begun;
    if (passed < patience) return;
    const seconds = duration(Math.floor(passed / 1000) * 1000).replace('.0', '');
    const columns = output.columns > 0 ? output.columns : 80;
    const next = fitText(`${visibleText(text)} … ${seconds}, Ctrl-C cancels`, Math.min(columns - 1, widest));
    if (next === shown) return;
    clear();
    output.write(style.dim(next));
    shown = next;
  };
  return {
    start: () => {
      if (timer !== undefined) return;
      begun = now();
      timer = setInterval(draw, frameTime);
    },
    say: (next) => {
      text = next;
    },
    clear,
    stop: () => {
      clearInterval(timer);
      timer = undefined;
      clear();
    },
  };
}
