import {
  quoted,
  SkillsError,
  type AgentRun,
  type RunEvent,
  type SkillEntry,
  type DisabledSkill,
  type SkillRegistry,
} from '@skillpack/core';
import { refusedSkill, uncallableSkill, untrustedSkill } from '../agent/preload.js';
import { staysOpen } from '../agent/stays-open.js';
import type { ChatEvent } from './chat-event.js';
import { chatSkill, type ChatSkill } from './chat-skill.js';
import { completeLine, type Completion } from './complete-line.js';
import { nearestName } from '../frame/nearest-name.js';
import { chatCommands, isCommand, parseLine, type ChatCommandName, type ChatLine } from './parse-line.js';
import { refusedAs } from '../skills/refused-skills.js';

/** The agent that a chat is with. */
export interface ChatAgent {
  readonly run: AgentRun;
  /** Where its skills come from. It is followed, so that changes are told. */
  readonly registry: SkillRegistry;
  /** Names of skills that are there, and left out because their project is not trusted. */
  readonly withheld: readonly string[];
  /** The command line that opened it, without the program. */
  readonly words: readonly string[];
}

/** What a chat needs. */
export interface ChatPorts {
  /** Starts the run, which tells each of its events. */
  open(onEvent: (event: RunEvent) => void): Promise<ChatAgent>;
  /** Told of everything that is to be shown. */
  tell(event: ChatEvent): void;
}

/**
 * A conversation with an agent: lines in, events out. One line at a time. Its run ends when it is disposed, except where
 * that waits for an answer, which can be given later.
 */
export interface Chat extends AsyncDisposable {
  readonly run: AgentRun;
  /**
   * Does what a line says.
   *
   * @returns whether the chat goes on.
   * @throws `IO_ERROR` where the record cannot be written; defects. All else is told, and the chat goes on.
   */
  send(line: string, options: { readonly signal: AbortSignal }): Promise<boolean>;
  complete(line: string): Promise<Completion>;
}

/** Begins a chat. @throws what `open` throws. */
export async function startChat(ports: ChatPorts): Promise<Chat> {
  const agent = await ports.open((event) => ports.tell({ kind: 'step', event }));
  const watching = await agent.registry.subscribe((change) => ports.tell({ kind: 'changed', change }));
  return new AgentChat({ agent, ports, watching });
}

interface ChatParts {
  readonly agent: ChatAgent;
  readonly ports: ChatPorts;
  readonly watching: AsyncDisposable;
}

class AgentChat implements Chat {
  readonly #parts: ChatParts;
  #waiting = false;

  constructor(parts: ChatParts) {
    this.#parts = parts;
  }

  get run(): AgentRun {
    return this.#parts.agent.run;
  }

  async send(line: string, options: { readonly signal: AbortSignal }): Promise<boolean> {
    const meant = parseLine(line);
    try {
      return await this.#do(meant, options);
    } catch (error) {
      // Of a skill, an unreadable disk is that skill's; of a request, it is the record's.
      if (!SkillsError.is(error) || (meant.kind === 'request' && SkillsError.is(error, 'IO_ERROR'))) throw error;
      this.#parts.ports.tell({ kind: 'refused', error });
      return true;
    }
  }

  async complete(line: string): Promise<Completion> {
    const skills = await this.#skills();
    return completeLine(
      line,
      skills.filter(({ callable }) => callable).map(({ name }) => name),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.watching[Symbol.asyncDispose]();
    if (!this.#waiting) await this.run[Symbol.asyncDispose]();
  }

  async #do(line: ChatLine, options: { readonly signal: AbortSignal }): Promise<boolean> {
    switch (line.kind) {
      case 'nothing':
        return true;
      case 'request':
        await this.#ask({ text: line.text }, options);
        return true;
      case 'skill':
        await this.#ask({ text: line.words, skill: await this.#callable(line) }, options);
        return true;
      case 'command':
        return this.#command(line);
    }
  }

  async #ask(request: { text: string; skill?: string }, { signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { ports } = this.#parts;
    let streamed = '';
    const onAnswer = (delta: string, told: string): void => {
      streamed = told;
      if (delta !== '') ports.tell({ kind: 'piece', text: delta });
    };
    const answer = await this.run.ask(request, { signal, onAnswer });
    this.#waiting = answer.stop === 'question' || staysOpen(answer.stop);
    ports.tell({ kind: 'answer', answer, streamed });
  }

  async #command({ name, words }: { readonly name: ChatCommandName; readonly words: string }): Promise<boolean> {
    const { ports } = this.#parts;
    switch (name) {
      case 'skills':
        ports.tell({ kind: 'skills', skills: words === '' ? await this.#skills() : await this.#find(words), words });
        break;
      case 'plan':
        ports.tell({ kind: 'plan', plan: this.run.state.plan });
        break;
      case 'disable':
        ports.tell({ kind: 'switched', name: (await this.run.disable(nameIn(name, words))).name, on: false });
        break;
      case 'enable':
        ports.tell({ kind: 'switched', name: await this.#enable(nameIn(name, words)), on: true });
        break;
      case 'help':
        ports.tell({ kind: 'help' });
        break;
      case 'skill':
        throw usage(name);
      case 'quit':
        return false;
    }
    return true;
  }

  async #enable(name: string): Promise<string> {
    const off = await this.run.enable(name);
    if (off !== undefined) return off.name;
    throw new SkillsError('SKILL_NOT_FOUND', `No skill ${quoted(name)} is switched off.`, {
      hint: 'Type /skills to see which are.',
    });
  }

  /** The name of the skill that a person calls. @throws `SKILL_NOT_FOUND`, `TOOL_NOT_ALLOWED`. */
  async #callable({ name, called }: ChatLine & { readonly kind: 'skill' }): Promise<string> {
    const { registry } = this.#parts.agent;
    // One that was written a moment ago is there.
    const entry = (await registry.get(name)) ?? (await afterReload(this.#parts.agent, name));
    if (entry === undefined) throw await this.#unknown(name, called);
    // One that the model switched off is on again once it is called.
    if (this.#offAs(entry.name)?.by === 'user') {
      const off = `The skill ${quoted(name)} is switched off in this chat.`;
      throw new SkillsError('SKILL_NOT_FOUND', off, { hint: `Type /enable ${name}` });
    }
    if (entry.head.userInvocable) return name;
    throw uncallableSkill(entry.name);
  }

  async #unknown(name: string, called: boolean): Promise<SkillsError> {
    const { withheld, words } = this.#parts.agent;
    if (withheld.includes(name)) return untrustedSkill(name, words);
    const refused = refusedAs(name, await this.#parts.agent.registry.index());
    if (refused !== undefined) return refusedSkill(refused);
    const skills = (await this.#skills()).filter(({ callable }) => callable).map((skill) => skill.name);
    if (called) {
      const alike = nearestName(name, skills);
      const or = isCommand(name) ? ` /${name} is a command.` : '';
      return new SkillsError('SKILL_NOT_FOUND', `There is no skill ${quoted(name)}.`, {
        hint: `${alike === undefined ? 'Type /skills to see which there are.' : `Did you mean /skill ${alike}?`}${or}`,
        data: { name },
      });
    }
    const nearest = elsewhere.get(name) ?? nearestName(name, [...Object.keys(chatCommands), ...skills]);
    const text = 'For a request that begins with a slash, type two.';
    return new SkillsError(
      'SKILL_NOT_FOUND',
      name === '' ? 'A slash alone is no command.' : `There is no skill and no command ${quoted(name)}.`,
      {
        hint: nearest === undefined ? `Type /skills or /help. ${text}` : `Did you mean /${nearest}?`,
        data: { name },
      },
    );
  }

  async #skills(): Promise<readonly ChatSkill[]> {
    const { skills } = await this.#parts.agent.registry.index();
    return skills.map((entry) => this.#listed(entry));
  }

  async #find(words: string): Promise<readonly ChatSkill[]> {
    const found = await this.#parts.agent.registry.search(words, { limit: 20 });
    return found.map(({ entry }) => this.#listed(entry));
  }

  #offAs(name: string): DisabledSkill | undefined {
    return this.run.state.disabled.find((off) => off.name.normalize('NFC') === name.normalize('NFC'));
  }

  #listed(entry: SkillEntry): ChatSkill {
    const active = this.run.state.activations.some(({ location }) => location === entry.location);
    const off = this.#offAs(entry.name) !== undefined;
    return chatSkill(entry, off ? 'off' : active ? 'active' : 'offered');
  }
}

/** What other chats call the commands of this one. */
const elsewhere: ReadonlyMap<string, ChatCommandName> = new Map([
  ['exit', 'quit'],
  ['q', 'quit'],
  ['bye', 'quit'],
  ['?', 'help'],
  ['', 'help'],
]);

async function afterReload({ registry }: ChatAgent, name: string): Promise<SkillEntry | undefined> {
  await registry.reload();
  return registry.get(name);
}

function nameIn(command: 'disable' | 'enable', words: string): string {
  if (words === '') throw usage(command);
  return words;
}

function usage(command: ChatCommandName): SkillsError {
  return new SkillsError('USAGE', `/${command} needs the name of a skill.`, {
    hint: `Type ${chatCommands[command].usage}`,
  });
}
