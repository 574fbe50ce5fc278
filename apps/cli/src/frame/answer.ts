import type { Style } from './style.js';
import { visibleData } from './visible-data.js';

/** What a command found or did. The frame prints it. */
export interface Answer {
  /** What `--json` prints under `data`. */
  readonly data: unknown;
  /** What a person reads; without the last newline, empty for nothing. */
  text(style: Style): string;
  /** Whether its text is printed with `--quiet`, too. */
  readonly wanted: boolean;
  /** 1 when the answer is no. */
  readonly exitCode: 0 | 1;
  /** Settles when the command ends, for one that goes on after it has answered. */
  readonly until: Promise<void> | undefined;
}

/** What belongs to an answer besides its data and its text. */
export interface AnswerOptions {
  /** Whether the answer is no: exit code 1. @default false */
  readonly no?: boolean | undefined;
  /** Keys whose text has several lines. @default [] */
  readonly keepLines?: readonly string[] | undefined;
  readonly until?: Promise<void> | undefined;
  /** Whether its text is what somebody asked for, so that `--quiet` leaves it. @default false */
  readonly wanted?: boolean | undefined;
}

/**
 * An answer of `data`, shown to people by `render`. `render` is handed a copy in which every string is safe for a
 * terminal, so that no renderer has to think of it.
 */
export function answer<Data>(
  data: Data,
  render: (data: Data, style: Style) => string,
  options: AnswerOptions = {},
): Answer {
  return {
    data,
    text: (style) => render(visibleData(data, options.keepLines), style),
    wanted: options.wanted === true,
    exitCode: options.no === true ? 1 : 0,
    until: options.until,
  };
}
