import { SkillsError, visibleLines, visibleText } from '@skillpack/core';
import type { Person } from '../agent/person.js';
import { describeStep } from '../render/describe-step.js';
import { followAgent } from '../render/follow-agent.js';
import { howLong } from '../render/how-long.js';
import type { ChatEvent } from './chat-event.js';
import type { ChatStreams } from './chat-streams.js';
import { describeChatEvent } from './describe-chat-event.js';
import type { Chat } from './start-chat.js';
import { createStatusLine, type StatusLine } from './status-line.js';
import { openTerminalInput, type TerminalInput } from './terminal-input.js';

/** The screen and the keyboard of a chat. */
export interface TerminalChat extends Disposable {
  /** Who sits there: answers questions, while a request is worked on and before. */
  readonly person: Person;
  show(event: ChatEvent): void;
  /** Prints lines, wherever the screen is. They have to be safe for a terminal. */
  print(text: string): void;
  /** Holds a chat until the person leaves. */
  hold(chat: Chat, signal: AbortSignal): Promise<void>;
}

/** Whether a chat can be held on a terminal: one that is read and written, and that understands what is written. */
export function hasTerminal({ stdin, stdout, env, globals }: ChatStreams): boolean {
  const able = env['TERM'] !== 'dumb' && (env['CI'] ?? '') === '';
  return stdin.isTTY && stdout.isTTY && able && !globals.json;
}

/** Opens it. */
export function openTerminalChat(streams: ChatStreams): TerminalChat {
  return new Screen(streams);
}

const mostRemembered = 1000;
/** Milliseconds after which a terminal that is resized has its new size. */
const resizing = 150;

class Screen implements TerminalChat {
  readonly person: Person;
  readonly #streams: ChatStreams;
  readonly #input: TerminalInput;
  readonly #status: StatusLine;
  readonly #follow: ReturnType<typeof followAgent>;
  readonly #history: string[] = [];
  /** Whether a piece of an answer stands on the last line. */
  #writing = false;
  #leaving = false;
  #working = false;

  constructor(streams: ChatStreams) {
    const { stdin, stdout, words, terminal, globals } = streams;
    const { style } = terminal;
    this.#streams = streams;
    this.#input = openTerminalInput(stdin, stdout);
    this.#status = createStatusLine({ output: stdout, style, now: () => performance.now() });
    this.person = { ask: async (question, how) => this.#ask(question, how) };
    this.#follow = followAgent(
      {
        warn: (text) => this.print(style.yellow(visibleText(text))),
        alert: (text) => this.print(style.yellow(visibleText(text))),
        step: (text) => {
          if (!globals.quiet) this.print(style.dim(visibleText(text)));
        },
        note: () => undefined,
        detail: (text) => {
          if (globals.verbose) this.print(style.dim(visibleText(text)));
        },
        progress: () => undefined,
        close: () => undefined,
      },
      words,
    );
  }

  show(event: ChatEvent): void {
    switch (event.kind) {
      case 'step':
        if (event.event.type === 'turn_started') {
          this.#status.say('thinking');
          this.#status.start();
        }
        if (event.event.type === 'action_started') this.#status.say(describeStep(event.event.action));
        this.#follow(event.event);
        break;
      case 'piece':
        this.#status.stop();
        this.#streams.stdout.write(event.text);
        this.#writing = !event.text.endsWith('\n');
        break;
      case 'answer':
        this.#showAnswer(event);
        break;
      case 'waits':
        this.print(this.#streams.terminal.style.dim(howLong(event.milliseconds)));
        this.#status.say('waiting');
        break;
      case 'thinks':
        if (this.#streams.globals.verbose)
          this.print(this.#streams.terminal.style.dim(visibleText(`thinks: ${event.line}`)));
        break;
      default:
        this.print(describeChatEvent(event, this.#streams.terminal.style, this.#columns()));
    }
  }

  print(text: string): void {
    this.#status.clear();
    if (this.#writing) this.#streams.stdout.write('\n');
    this.#writing = false;
    this.#input.printAbove(text);
  }

  async hold(chat: Chat, signal: AbortSignal): Promise<void> {
    const { style } = this.#streams.terminal;
    let interrupted = false;
    while (!signal.aborted && !this.#leaving) {
      const read = await this.#input.readLine({
        prompt: style.bold('> '),
        history: this.#history,
        complete: async (line) => chat.complete(line),
        signal,
      });
      if (read.kind === 'line') {
        interrupted = false;
        this.#remember(read.typed);
        if (!(await this.#send(chat, read.text, signal))) return;
      } else {
        this.#streams.stdout.write('\n');
        if (read.kind === 'end' || (interrupted && read.empty)) return;
        interrupted = read.empty;
        if (interrupted) this.print(style.dim('Ctrl-C once more leaves; so does Ctrl-D.'));
      }
    }
  }

  [Symbol.dispose](): void {
    this.#status.stop();
    this.#input[Symbol.dispose]();
  }

  async #send(chat: Chat, line: string, signal: AbortSignal): Promise<boolean> {
    const cancelling = new AbortController();
    this.#input.onInterrupt = () => {
      if (cancelling.signal.aborted) {
        // From here on Ctrl-C is the signal that it is everywhere else: a work that does not end can be ended.
        this.#leaving = true;
        this.#input[Symbol.dispose]();
      } else {
        this.#status.say('cancelling');
        cancelling.abort(new SkillsError('INTERRUPTED', 'The person cancelled the request.'));
      }
    };
    this.#working = true;
    this.#status.start();
    try {
      return await chat.send(line, { signal: AbortSignal.any([signal, cancelling.signal]) });
    } finally {
      this.#working = false;
      this.#status.stop();
      this.#input.onInterrupt = undefined;
    }
  }

  #showAnswer({ answer: { text, stop, degraded, error }, streamed }: ChatEvent & { readonly kind: 'answer' }): void {
    const { style } = this.#streams.terminal;
    const visible = visibleLines(text);
    if (stop === 'cancelled') this.print(style.yellow('Cancelled.'));
    else if (visible !== streamed) this.print(visible);
    else if (this.#writing) this.#streams.stdout.write('\n');
    this.#writing = false;
    if (degraded && stop !== 'cancelled') this.print(style.yellow(`The agent did not finish: ${stop}.`));
    if (stop === 'model_failed' && error?.hint !== undefined) this.print(`hint: ${visibleText(error.hint)}`);
  }

  #columns(): number | undefined {
    const { columns } = this.#streams.stdout;
    // A terminal that was told no size says 0.
    return columns > 0 ? columns : undefined;
  }

  /** A line that is asked for. What was typed before, for something else, answers nothing. */
  async #ask(question: string, { signal }: { readonly signal?: AbortSignal | undefined }): Promise<string | undefined> {
    const lines = question.split('\n');
    const prompt = lines.pop() ?? '';
    this.#status.stop();
    await this.#input.settle();
    using shown = this.#show(lines);
    const read = await this.#input.readLine({ prompt, signal, fresh: true });
    shown[Symbol.dispose]();
    if (read.kind === 'line') {
      if (this.#working) this.#status.start();
      return read.text.trim();
    }
    this.#streams.stdout.write('\n');
    if (read.kind === 'end' && signal?.aborted !== true) return undefined;
    this.#input.onInterrupt?.();
    throw new SkillsError('INTERRUPTED', 'The question was not answered.');
  }

  /** Prints lines above a prompt, and again where the terminal is resized: what is drawn then may lie over them. */
  #show(lines: readonly string[]): Disposable {
    const { stdout } = this.#streams;
    let timer: NodeJS.Timeout | undefined;
    const show = (): void => this.print(lines.join('\n'));
    const showAgain = (): void => {
      clearTimeout(timer);
      timer = setTimeout(show, resizing);
    };
    if (lines.length > 0) {
      show();
      stdout.on('resize', showAgain);
    }
    return {
      [Symbol.dispose]: () => {
        clearTimeout(timer);
        stdout.off('resize', showAgain);
      },
    };
  }

  #remember(line: string): void {
    if (line.trim() === '' || line === this.#history[0]) return;
    this.#history.unshift(line);
    this.#history.length = Math.min(this.#history.length, mostRemembered);
  }
}
