import { visibleLines } from '@skillpack/core';
import type { Reporter } from '../frame/reporter.js';
import { followAgent } from '../render/follow-agent.js';
import type { ChatEvent } from './chat-event.js';
import type { ChatStreams } from './chat-streams.js';
import { describeChatEvent } from './describe-chat-event.js';
import { readLines } from './read-lines.js';
import type { Chat } from './start-chat.js';

/** Shows a chat on pipes: answers on stdout, everything else on stderr; no prompt, and nothing for terminals. */
export function showPlainly({ terminal, globals }: ChatStreams, reporter: Reporter): (event: ChatEvent) => void {
  const follow = followAgent(reporter);
  return (event) => {
    switch (event.kind) {
      case 'step':
        follow(event.event);
        break;
      case 'piece':
        break;
      case 'answer': {
        const { text, stop, degraded } = event.answer;
        if (degraded) reporter.warn(`The agent did not finish: ${stop}.`);
        // With --json, the one document has them.
        if (!globals.json) terminal.print(`${visibleLines(text)}\n`);
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

/** Holds a chat whose lines come from a pipe: each is done before the next one is read. */
export async function holdPlainChat(
  chat: Chat,
  { stdin }: Pick<ChatStreams, 'stdin'>,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const line of readLines(stdin, { signal })) {
      if (!(await chat.send(line, { signal })) || signal.aborted) return;
    }
  } finally {
    // Whoever still writes would keep the process.
    stdin.destroy();
  }
}
