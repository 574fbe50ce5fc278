import { visibleText, type RunEvent, type RunSummary } from '@skillpack/core';
import type { AgentFlags } from '../agent/agent-options.js';
import type { OpenAgent } from '../agent/open-agent.js';
import type { Person } from '../agent/person.js';
import { RunSteps } from '../agent/run-steps.js';
import { howToGoOn, wasPlayed } from '../agent/end-of-run.js';
import { howToAllow } from '../agent/waits-for-yes.js';
import { howToAnswer } from '../agent/resume-command.js';
import { staysOpen } from '../agent/stays-open.js';
import type { App } from '../app.js';
import type { Reporter } from '../frame/reporter.js';
import { count } from '../render/count.js';
import { describeUsage } from '../render/describe-usage.js';
import type { ChatEvent } from './chat-event.js';
import { missedYes } from './missed-yes.js';
import { holdPlainChat, showPlainly } from './plain-chat.js';
import { startChat, type Chat } from './start-chat.js';
import { hasTerminal, openTerminalChat } from './terminal-chat.js';

/** A chat that is over. */
export interface EndedChat {
  readonly summary: RunSummary;
  /** Whether its lines came from a pipe. */
  readonly plain: boolean;
  /** How many lines could not be done, since they name nothing that there is, or that may be called. */
  readonly refused: number;
}

/** What a chat is shown by. */
interface ChatFace {
  readonly person: Person | undefined;
  show(event: ChatEvent): void;
  hold(chat: Chat): Promise<void>;
}

/**
 * Holds a chat from beginning to end: on a terminal with everything that one can do, else line by line.
 *
 * @throws `INTERRUPTED` where the command was stopped from outside, once the record is whole; what `openAgent` throws.
 */
export async function holdChat(flags: AgentFlags, app: App): Promise<EndedChat> {
  const streams = app.streams();
  const { signal, reporter } = app;
  if (!hasTerminal(streams)) {
    const show = showPlainly(streams, reporter);
    return hold(flags, app, { person: undefined, show, hold: async (chat) => holdPlainChat(chat, streams, signal) });
  }
  using screen = openTerminalChat(streams);
  return await hold(flags, app, {
    person: screen.person,
    show: (event) => screen.show(event),
    hold: async (chat) => {
      const { model, index } = chat.run.state;
      screen.print(
        `Chat with ${visibleText(model)}, ${count(index?.skills ?? 0, 'skill')}. Type /help for what else can be typed.`,
      );
      await screen.hold(chat, signal);
    },
  });
}

/** What a chat took, and where it is recorded. The calls of its model are kept however its last request ended. */
async function tellRecords(
  { model, usage }: RunSummary,
  { record, recording }: Pick<OpenAgent, 'record' | 'recording'>,
  reporter: Pick<Reporter, 'step'>,
): Promise<void> {
  const took = model.startsWith('scripted:') ? undefined : describeUsage(usage);
  if (took !== undefined) reporter.step(wasPlayed({ model }) ? `${took}, when it was recorded` : took);
  reporter.step(`recorded in ${record.folder}`);
  if (recording === undefined) return;
  await recording.close();
  reporter.step(`model calls kept in ${recording.path}`);
}

async function hold(flags: AgentFlags, app: App, face: ChatFace): Promise<EndedChat> {
  let follow: (event: RunEvent) => void = () => undefined;
  let refused = 0;
  const steps = new RunSteps();
  await using agent = await app.openAgent(flags, {
    person: face.person ?? null,
    chat: true,
    onEvent: (event) => {
      steps.take(event);
      follow(event);
    },
    onPause: (milliseconds) => face.show({ kind: 'waits', milliseconds }),
    onThought: (line) => face.show({ kind: 'thinks', line }),
  });
  const { ports, record, withheld } = agent;
  {
    await using chat = await startChat({
      tell: (event) => {
        if (event.kind === 'refused') refused += 1;
        face.show(event);
      },
      open: async (onEvent) => {
        follow = onEvent;
        return { run: await agent.start(), registry: ports.registry, withheld, words: app.words };
      },
    });
    await face.hold(chat);
  }
  const summary = await record.finish();
  if (summary.requests.length > 0) await tellRecords(summary, agent, app.reporter);
  const stop = summary.requests.at(-1)?.answer?.stop;
  for (const line of missedYes(steps.questions, stop)) app.reporter.step(line);
  const place = { words: app.words, trusted: agent.trustedForGood };
  if (stop === 'question') app.reporter.step(howToAnswer(summary.id, place));
  else if (stop === 'approval_required') app.reporter.step(howToAllow(await agent.openQuestion(), { summary, place }));
  else if (staysOpen(stop)) app.reporter.step(howToGoOn(summary, place));
  app.signal.throwIfAborted();
  return { summary, plain: face.person === undefined, refused };
}
