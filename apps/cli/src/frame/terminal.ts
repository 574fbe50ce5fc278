import { createStyle, type Style } from './style.js';
import { watchOutput } from './watch-output.js';

/** The two streams of a terminal or of pipes, and what may be written to them. */
export interface Terminal {
  /** The style of stdout. */
  readonly style: Style;
  /** The style of stderr. */
  readonly errorStyle: Style;
  /** Whether a person sees stderr, so that a line may be drawn over. */
  readonly live: boolean;
  /** Columns of stderr. */
  readonly columns: number;
  print(text: string): void;
  printError(text: string): void;
}

/** How a terminal is opened. */
export interface TerminalOptions {
  /** `false` for no colours, whatever the streams could show. */
  readonly colour: boolean;
}

/** The terminal of this process. A reader that went away (`skills list | head -1`) is no error. */
export function openTerminal({ stdout, stderr, env }: NodeJS.Process, options: TerminalOptions): Terminal {
  watchOutput({ stdout, stderr });
  const wanted = options.colour && (env['NO_COLOR'] ?? '') === '';
  const forced = !['', '0', 'false'].includes(env['FORCE_COLOR'] ?? '');
  const shows = (stream: NodeJS.WriteStream) => wanted && (forced || (stream.isTTY && stream.hasColors(env)));
  return {
    style: createStyle(shows(stdout)),
    errorStyle: createStyle(shows(stderr)),
    live: stderr.isTTY && env['TERM'] !== 'dumb' && (env['CI'] ?? '') === '',
    // A terminal that was told no size says 0.
    columns: stderr.columns > 0 ? stderr.columns : 80,
    print: (text) => void stdout.write(text),
    printError: (text) => void stderr.write(text),
  };
}
