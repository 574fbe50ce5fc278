import { setImmediate } from 'node:timers/promises';
import { visibleLines } from '@skillpack/core';
import { howLong } from '../render/how-long.js';
import type { Reporter } from '../frame/reporter.js';
import { followAgent } from '../render/follow-agent.js';
import type { ChatEvent } from './chat-event.js';
import type { ChatStreams } from './chat-streams.js';
import { describeChatEvent } from './describe-chat-event.js';
import { readLines } from './read-lines.js';
import type { Chat } from './start-chat.js';

/** Shows a chat on pipes: answers on stdout, everything else on stderr; no prompt, and nothing for terminals. */
export function showPlainly({ words, terminal, globals }: ChatStreams, reporter: Reporter): (event: ChatEvent) => void {
  const follow = followAgent(reporter, words);
  return (event) => {
    switch (event.kind) {
      case 'step':
        follow(event.event);
        break;
      case 'piece':
        break;
      case 'waits':
        reporter.step(howLong(event.milliseconds));
        break;
      case 'thinks':
        reporter.detail(`thinks: ${event.line}`);
        break;
      case 'answer': {
        const { text, stop, degraded, error } = event.answer;
        if (degraded) reporter.warn(`The agent did not finish: ${stop}.`);
        if (stop === 'model_failed' && error?.hint !== undefined) reporter.step(`hint: ${error.hint}`);
        // With --json, the one document has them.
        if (globals.json) break;
        // What could not be asked is no answer that a program should read.
        if (stop === 'model_failed') terminal.printError(`${visibleLines(text)}\n`);
        else terminal.print(`${visibleLines(text)}\n`);
        break;
      }
      case 'refused':
        terminal.printError(`${describeChatEvent(event, terminal.errorStyle)}\n`);
        break;
      default:
        if (!globals.quiet) terminal.printError(`${describeChatEvent(event, terminal.errorStyle)}\n`);
    }
  };
}

/**
 * Holds a chat whose lines come from a pipe: each is done before the next one is read. It ends with the input, and once
 * nobody reads what it answers.
 */
export async function holdPlainChat(
  chat: Chat,
  { stdin, stdout }: Pick<ChatStreams, 'stdin' | 'stdout'>,
  signal: AbortSignal,
): Promise<void> {
  let unread = false;
  const stop = (): void => {
    unread = true;
  };
  stdout.once('error', stop);
  try {
    for await (const line of readLines(stdin, { signal })) {
      const goesOn = await chat.send(line, { signal });
      // Where model and disk answer at once, no signal would be heard, and no error of stdout, before the last line.
      await setImmediate();
      if (!goesOn || signal.aborted || unread) return;
    }
  } finally {
    stdout.off('error', stop);
    // Whoever still writes would keep the process.
    stdin.destroy();
  }
}
