import {
  canonicalJson,
  measureSkill,
  quoted,
  recordable,
  SkillsError,
  unlockedTools,
  type Digest,
  type ErrorCode,
  type OfferedTool as UnlockedTool,
  type SessionTools,
  type Sha256,
  type SkillSession,
  type Tool,
} from '@skillpack/core';
import type { OfferedTool } from './offered-tool.js';

/** A call of a tool that a model made. */
export interface ToolCall {
  /** By which the framework knows the call again. */
  readonly id: string;
  readonly name: string;
  /** As the model gave it. */
  readonly input: unknown;
  readonly signal?: AbortSignal | undefined;
  /** Whether the tool itself wants a yes to it, whatever the permissions say. @default false */
  readonly asks?: boolean | undefined;
}

/** Whether a call may be carried out: now, after a yes to `question`, or not at all. */
export type ToolVerdict =
  | { readonly kind: 'allow' }
  | {
      readonly kind: 'ask';
      readonly question: string;
      /** Whether it was asked before, and the answer to that is still to come. */
      readonly open: boolean;
      /** The skill on whose behalf it would be done. */
      readonly skill?: string | undefined;
    }
  | { readonly kind: 'refuse'; readonly error: SkillsError };

/** What stands before the tools of one conversation. */
export interface ToolGate {
  /** Judges a call. What is asked is remembered, with the content of the skill on whose behalf it would be done. */
  judge(call: ToolCall): Promise<ToolVerdict>;
  /**
   * Lets a call through that may be carried out now: it is allowed, or was asked about and has a yes. A yes counts once.
   *
   * @throws `TOOL_NOT_ALLOWED` for what is refused; `APPROVAL_REQUIRED` where nobody was asked; `INTEGRITY_MISMATCH` where
   * the skill has changed since.
   */
  pass(call: ToolCall): Promise<void>;
  /** Takes a question back: no yes to it lets anything through. */
  forget(call: ToolCall): void;
}

/** What a gate needs. */
export interface ToolGatePorts<Theirs> extends SessionTools<OfferedTool<Theirs>> {
  /** Those that were there from the beginning, as far as they are known now. */
  readonly tools: () => readonly OfferedTool<Theirs>[];
  readonly sha256: Sha256;
  /** Whether a yes is known by the input that it was for; else the framework itself sees to that. @default true */
  readonly bindInput?: boolean | undefined;
}

interface Question {
  readonly name: string;
  readonly input: string;
  readonly digest: Digest | undefined;
}

// Questions that nobody ever answers.
const mostQuestions = 1_000;

/** Makes the gate of a session. */
export function createToolGate<Theirs>(
  session: SkillSession<OfferedTool<Theirs>>,
  ports: ToolGatePorts<Theirs>,
): ToolGate {
  return new Gate(session, ports);
}

class Gate<Theirs> implements ToolGate {
  readonly #session: SkillSession<OfferedTool<Theirs>>;
  readonly #ports: ToolGatePorts<Theirs>;
  readonly #asked = new Map<string, Question>();

  constructor(session: SkillSession<OfferedTool<Theirs>>, ports: ToolGatePorts<Theirs>) {
    this.#session = session;
    this.#ports = ports;
  }

  async judge(call: ToolCall): Promise<ToolVerdict> {
    const verdict = this.#judged(call);
    if (verdict.kind !== 'ask') return verdict;
    // A framework that goes on after an answer begins anew, and asks again: what was asked stays what was asked.
    const known = this.#questionOf(call);
    const question = known ?? { ...this.#bound(call), digest: await this.#digestFor(call) };
    this.#asked.delete(call.id);
    this.#asked.set(call.id, question);
    for (const oldest of this.#asked.keys()) if (this.#asked.size > mostQuestions) this.#asked.delete(oldest);
    const skill = this.#offered(call.name)?.activation?.name;
    const open = known !== undefined;
    if (skill === undefined) return { ...verdict, open };
    const behalf = `On behalf of the skill ${quoted(skill, 64)}, ${question.digest ?? 'which nobody can measure'}.`;
    return { kind: 'ask', question: `${verdict.question} ${behalf}`, open, skill };
  }

  async pass(call: ToolCall): Promise<void> {
    const verdict = this.#judged(call);
    if (verdict.kind === 'refuse') throw verdict.error;
    const question = this.#questionOf(call);
    this.#asked.delete(call.id);
    if (verdict.kind === 'allow') return;
    if (question === undefined) throw nobodyAsked(call.name);
    if (question.digest !== (await this.#digestFor(call))) throw changed(call.name);
  }

  forget({ id }: ToolCall): void {
    this.#asked.delete(id);
  }

  #judged({ name, input, asks = false }: ToolCall): ToolVerdict {
    const found = this.#offered(name)?.tool;
    if (found === undefined) return { kind: 'refuse', error: notOffered(name) };
    const misfit = found.kind === 'ours' ? misfitOf(found.tool, input) : undefined;
    if (misfit !== undefined) return { kind: 'refuse', error: misfit };
    const { risk, runsCode, confined } = found;
    const judgement = this.#session.judge({ action: 'call_tool', tool: name, risk, runsCode, confined, input });
    if (judgement.kind === 'allow' && !asks) return { kind: 'allow' };
    if (judgement.kind !== 'refuse') return { kind: 'ask', question: `Risk: ${risk}.`, open: false };
    return { kind: 'refuse', error: refusal('TOOL_NOT_ALLOWED', `${judgement.message} ${judgement.hint}`) };
  }

  #offered(name: string): UnlockedTool<OfferedTool<Theirs>> | undefined {
    const offered = unlockedTools({ ...this.#ports, tools: this.#ports.tools() }, this.#session.activations);
    return offered.find(({ tool }) => tool.name === name);
  }

  #questionOf(call: ToolCall): Question | undefined {
    const question = this.#asked.get(call.id);
    const { name, input } = this.#bound(call);
    return question?.name === name && question.input === input ? question : undefined;
  }

  #bound({ name, input }: ToolCall): Pick<Question, 'name' | 'input'> {
    return { name, input: this.#ports.bindInput === false ? '' : textOf(input) };
  }

  async #digestFor({ name, signal = new AbortController().signal }: ToolCall): Promise<Digest | undefined> {
    const location = this.#offered(name)?.activation?.location;
    return location === undefined ? undefined : digestOf(location, this.#session, { ...this.#ports, signal });
  }
}

/** What an input is known by again: it may have been kept as JSON meanwhile, in which fields stand in any order. */
function textOf(input: unknown): string {
  try {
    const kept: unknown = JSON.parse(JSON.stringify(input));
    return JSON.stringify(kept, (_, value: unknown) => (isRecord(value) ? inOrder(value) : value));
  } catch (error) {
    // What is nested too deep to be compared is never known again.
    if (error instanceof RangeError) return crypto.randomUUID();
    // What JSON cannot say, or not without an end.
    return canonicalJson(recordable(input));
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function inOrder(value: object): object {
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** Of all files of a skill; `undefined` where it cannot be measured: then nobody can tell whether it changes. */
async function digestOf(
  location: string,
  { view }: Pick<SkillSession, 'view'>,
  { sha256, signal }: { readonly sha256: Sha256; readonly signal: AbortSignal },
): Promise<Digest | undefined> {
  try {
    const entry = await view.getByPath(location, { signal });
    if (entry === undefined) return undefined;
    return (await measureSkill(entry, { registry: view, sha256 }, { signal })).digest;
  } catch (error) {
    if (signal.aborted || !SkillsError.is(error)) throw error;
    return undefined;
  }
}

function misfitOf({ check }: Tool, input: unknown): SkillsError | undefined {
  try {
    check?.(input);
    return undefined;
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return refusal(error.code, error.hint === undefined ? error.message : `${error.message} ${error.hint}`);
  }
}

function notOffered(name: string): SkillsError {
  return refusal(
    'TOOL_NOT_ALLOWED',
    `No skill that was read brings the tool ${quoted(name, 64)}. Read the skill first.`,
  );
}

function nobodyAsked(name: string): SkillsError {
  const what = `This use of the tool ${quoted(name, 64)} needs a yes, and nobody was asked.`;
  return refusal('APPROVAL_REQUIRED', `${what} Do without it, or call it again.`);
}

function changed(name: string): SkillsError {
  const what = `The skill on whose behalf the tool ${quoted(name, 64)} would be used has changed since somebody was asked.`;
  return refusal('INTEGRITY_MISMATCH', `${what} Nothing was done. Call it again, and somebody is asked again.`);
}

/** The next action is part of the message: of an error, frameworks tell a model nothing else. */
function refusal(code: ErrorCode, message: string): SkillsError {
  return new SkillsError(code, message);
}
