import type { Sha256 } from '../../digest/digest.js';
import type { Digest } from '../../digest/is-digest.js';
import { quoted } from '../../errors/quoted.js';
import { SkillsError } from '../../errors/skills-error.js';
import type { RunEvent } from '../run-event.js';
import { brokenRecordHint, parseRunEvent } from './parse-run-event.js';
import { recordLimits } from './record-limits.js';
import { chainStart } from './seal-event.js';

/** How a record is read. */
export interface ReadRunOptions {
  /** What messages call it: `events.jsonl of run r1`. */
  readonly what: string;
  /** The run that it has to be the record of. @default whichever its first event names */
  readonly run?: string | undefined;
}

/** A record, as it was read. */
export interface ReadRun {
  readonly events: readonly RunEvent[];
  /** What stands after the last line break: a line that was being written when the writer was cut off. */
  readonly torn: string | undefined;
}

/**
 * Reads `events.jsonl`, and proves that nobody left out, moved or changed an event: each has the hash that its content
 * has, and that of the event before.
 *
 * @throws `INVALID_RECORD` that names the line, what was expected and what was found; `UNSUPPORTED_FORMAT`,
 * `FILE_TOO_LARGE`.
 */
export function readRunEvents(text: string, ports: { readonly sha256: Sha256 }, options: ReadRunOptions): ReadRun {
  const { what } = options;
  if (text.length > recordLimits.bytes) throw tooLarge(what, text.length);
  const events: RunEvent[] = [];
  let run = options.run;
  let start = 0;
  for (let number = 1; start < text.length; number += 1) {
    const end = text.indexOf('\n', start);
    if (end === -1) return { events, torn: text.slice(start) };
    const line = `${what}, line ${number},`;
    const { event, contentHash } = parseRunEvent(text.slice(start, end), ports, line);
    run ??= event.run;
    checkPlace({ event, contentHash, line, run, prev: events.at(-1)?.hash ?? chainStart(run, ports.sha256) }, number);
    events.push(event);
    start = end + 1;
  }
  return { events, torn: undefined };
}

interface Placed {
  readonly event: RunEvent;
  readonly contentHash: Digest;
  readonly line: string;
  readonly run: string;
  readonly prev: Digest;
}

function checkPlace({ event, contentHash, line, run, prev }: Placed, number: number): void {
  const { seq, hash } = event;
  const fail = (message: string, found: unknown, expected: unknown): never => {
    throw new SkillsError('INVALID_RECORD', `${line} ${message}`, {
      hint: brokenRecordHint,
      data: { line: number, found, expected },
    });
  };
  if (hash !== contentHash)
    fail(`was changed: it states ${hash}, and its content is ${contentHash}.`, hash, contentHash);
  if (seq !== number) fail(`is out of its place: it is event ${seq}, where event ${number} belongs.`, seq, number);
  // The first event goes on from the id of its run: of another run, the whole record is.
  if (number === 1 && event.run !== run && !event.run.startsWith(`${run}/`)) {
    fail(
      `is of the run ${quoted(event.run)}, and this is to be the record of ${quoted(run)}: its folder has to be called as its run is.`,
      event.run,
      run,
    );
  }
  if (event.prev !== prev) {
    fail(`does not follow what is before it: it goes on from ${event.prev}, and that is ${prev}.`, event.prev, prev);
  }
  if (event.run !== run && !event.run.startsWith(`${run}/`)) {
    fail(`belongs to ${quoted(event.run)}, not to ${quoted(run)}.`, event.run, run);
  }
  if ((number === 1) !== (event.type === 'run_started' && event.run === run)) {
    fail(number === 1 ? 'does not start a run.' : 'starts the run again.', event.type, 'run_started');
  }
  if (event.type === 'run_resumed' && event.after >= seq) {
    fail(`goes back to event ${event.after}, which is none before it.`, event.after, seq - 1);
  }
}

function tooLarge(what: string, length: number): SkillsError {
  return new SkillsError(
    'FILE_TOO_LARGE',
    `${what} has ${length} characters; at most ${recordLimits.bytes} are read.`,
    {
      data: { length, limit: recordLimits.bytes },
    },
  );
}
