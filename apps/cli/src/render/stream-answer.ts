import { visibleLines, type RunEvent } from '@skillpack/core';
import type { ChatStreams } from '../chat/chat-streams.js';
import type { Reporter } from '../frame/reporter.js';

/** Prints an answer on a terminal while a model writes it. */
export interface AnswerStream {
  /** For `onAnswer` of a request. */
  readonly onAnswer: (delta: string, answer: string) => void;
  /** Takes each event before it is told: what is told then begins a line of its own. */
  readonly before: (event: RunEvent) => void;
  /** Ends the line. @returns whether all of this answer stands there. */
  readonly end: (answer: string | undefined) => boolean;
}

/** A stream to standard output, where a person sees that. */
export function openStream(
  { stdout, globals }: Pick<ChatStreams, 'stdout' | 'globals'>,
  reporter: Pick<Reporter, 'progress'>,
): AnswerStream | undefined {
  if (!stdout.isTTY || globals.json) return undefined;
  return streamAnswer((text) => {
    reporter.progress(undefined);
    stdout.write(text);
  });
}

/** A stream to a terminal. @param print writes to it. */
function streamAnswer(print: (text: string) => void): AnswerStream {
  let printed = '';
  const endLine = (): void => {
    if (printed !== '' && !printed.endsWith('\n')) print('\n');
    printed = '';
  };
  return {
    onAnswer: (delta, answer) => {
      // It was no answer: it stands there, and the next one begins below.
      if (answer === '') endLine();
      else print(delta);
      printed = answer;
    },
    before: ({ type }) => {
      if (type === 'decision_rejected' || type === 'model_failed') endLine();
    },
    end: (answer) => {
      const whole = answer !== undefined && printed !== '' && visibleLines(answer) === printed;
      endLine();
      return whole;
    },
  };
}
