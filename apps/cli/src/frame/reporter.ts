import { visibleText } from '@skillpack/core';
import { progressLine, type Progress } from './progress-line.js';
import type { Terminal } from './terminal.js';

/** Tells on stderr what goes on while a command runs. Every text is made visible first. */
export interface Reporter {
  /** Something a person should know. */
  warn(message: string): void;
  /** Something a person has to know, whatever else they want to be told: with `--quiet`, too. */
  alert(message: string): void;
  /** What a person on a terminal sees in the line of progress, for those who have none; with `--verbose` a step tells it. */
  note(message: string): void;
  /** A step that a person wants to see while it goes on: one line. */
  step(message: string): void;
  /** A step, told with `--verbose` only. */
  detail(message: string): void;
  /** How far it is: one line that is drawn over, on a terminal, once a second has passed; `undefined` takes it away. */
  progress(progress: Progress | undefined): void;
  /** Takes the line of progress away. */
  close(): void;
}

/** How much is told. */
export interface ReporterOptions {
  readonly quiet: boolean;
  readonly verbose: boolean;
}

const patience = 1000;
const frameTime = 100;
const rateWindow = 3000;

/** A reporter that writes to `terminal`. */
export function createReporter(terminal: Terminal, { quiet, verbose }: ReporterOptions): Reporter {
  const line = terminal.live && !quiet && !verbose ? createLiveLine(terminal) : undefined;
  const say = (text: string) => {
    line?.clear();
    terminal.printError(`${text}\n`);
  };
  const alert = (message: string): void => say(`${terminal.errorStyle.yellow('warning')}: ${visibleText(message)}`);
  return {
    alert,
    warn: (message) => {
      if (!quiet) alert(message);
    },
    note: (message) => {
      if (!quiet && !verbose && line === undefined) say(visibleText(message));
    },
    step: (message) => {
      if (!quiet) say(terminal.errorStyle.dim(visibleText(message)));
    },
    detail: (message) => {
      if (verbose) say(terminal.errorStyle.dim(visibleText(message)));
    },
    progress: (progress) => line?.update(progress),
    close: () => line?.close(),
  };
}

interface LiveLine {
  update(progress: Progress | undefined): void;
  clear(): void;
  close(): void;
}

function createLiveLine(terminal: Terminal): LiveLine {
  let started: number | undefined = performance.now();
  const samples: { readonly at: number; readonly bytes: number }[] = [];
  let latest: Progress | undefined;
  let drawn = false;
  let timer: NodeJS.Timeout | undefined;

  const clear = () => {
    if (drawn) terminal.printError('\r\u001B[2K');
    drawn = false;
  };
  const draw = () => {
    const now = performance.now();
    if (latest === undefined || started === undefined || now - started < patience) return;
    if (latest.bytes !== undefined) {
      samples.push({ at: now, bytes: latest.bytes });
      while (samples.length > 2 && now - (samples[0]?.at ?? now) > rateWindow) samples.shift();
    }
    const text = progressLine(latest, {
      rate: rateOf(samples),
      seconds: (now - started) / 1000,
      columns: terminal.columns,
    });
    terminal.printError(`\r\u001B[2K${visibleText(text)}`);
    drawn = true;
  };
  return {
    update: (progress) => {
      latest = progress;
      if (progress === undefined) {
        clearInterval(timer);
        timer = undefined;
        // What comes next has a time of its own.
        started = undefined;
        samples.length = 0;
        clear();
        return;
      }
      started ??= performance.now();
      // Drawing by the clock, not by the event, bounds the cost; unref: a timer alone must not keep the process.
      timer ??= setInterval(draw, frameTime).unref();
    },
    clear,
    close: () => {
      clearInterval(timer);
      clear();
    },
  };
}

function rateOf(samples: readonly { readonly at: number; readonly bytes: number }[]): number | undefined {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < frameTime * 2) return undefined;
  const rate = ((last.bytes - first.bytes) / (last.at - first.at)) * 1000;
  return rate >= 0 ? rate : undefined;
}
