import {
  canonicalJson,
  measureSkill,
  quoted,
  SkillsError,
  unlockedTools,
  visibleText,
  type Digest,
  type ErrorCode,
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
}

/** Whether a call may be carried out: now, after a yes to `question`, or not at all. */
export type ToolVerdict =
  | { readonly kind: 'allow' }
  | { readonly kind: 'ask'; readonly question: string }
  | { readonly kind: 'refuse'; readonly error: SkillsError };

/** What stands before the tools of one conversation. */
export interface ToolGate {
  /** Judges a call. What is asked is remembered, with the content of the skill on whose behalf it would be done. */
  judge(call: ToolCall): Promise<ToolVerdict>;
  /** Judges a call whose answer is there: what nobody was asked here is refused. */
  judgeAnswer(call: ToolCall): ToolVerdict;
  /**
   * Lets a call through that may be carried out now: it is allowed, or was asked about and has a yes. A yes counts once.
   *
   * @throws `TOOL_NOT_ALLOWED` for what is refused; `APPROVAL_REQUIRED` where nobody was asked; `INTEGRITY_MISMATCH` where
   * the skill has changed since.
   */
  pass(call: ToolCall): Promise<void>;
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
  const asked = new Map<string, Question>();
  const boundInput = ({ input }: ToolCall): string => (ports.bindInput === false ? '' : canonicalJson(input));
  const isAsked = (call: ToolCall): boolean => {
    const question = asked.get(call.id);
    return question?.name === call.name && question.input === boundInput(call);
  };
  const offered = (name: string) =>
    unlockedTools({ ...ports, tools: ports.tools() }, session.activations).find(({ tool }) => tool.name === name);
  const sized = async (call: ToolCall): Promise<Digest | undefined> => {
    const location = offered(call.name)?.activation?.location;
    return location === undefined ? undefined : digestOf(location, session, { ...ports, signal: call.signal });
  };
  const judged = (call: ToolCall): ToolVerdict => {
    const found = offered(call.name);
    if (found === undefined) return { kind: 'refuse', error: notOffered(call.name) };
    const misfit = found.tool.kind === 'ours' ? misfitOf(found.tool.tool, call.input) : undefined;
    if (misfit !== undefined) return { kind: 'refuse', error: misfit };
    const { risk, runsCode, confined } = found.tool;
    const judgement = session.judge({
      action: 'call_tool',
      tool: call.name,
      risk,
      runsCode,
      confined,
      input: call.input,
    });
    if (judgement.kind === 'allow') return { kind: 'allow' };
    if (judgement.kind === 'ask') return { kind: 'ask', question: `Risk: ${risk}.` };
    return { kind: 'refuse', error: refusal('TOOL_NOT_ALLOWED', `${judgement.message} ${judgement.hint}`) };
  };
  return {
    async judge(call) {
      const verdict = judged(call);
      if (verdict.kind !== 'ask') return verdict;
      const input = boundInput(call);
      // Some frameworks judge once more when the answer is there: what was asked stays what was asked.
      const digest = isAsked(call) ? asked.get(call.id)?.digest : await sized(call);
      asked.delete(call.id);
      asked.set(call.id, { name: call.name, input, digest });
      for (const oldest of asked.keys()) if (asked.size > mostQuestions) asked.delete(oldest);
      const skill = offered(call.name)?.activation?.name;
      const behalf =
        skill === undefined ? '' : ` On behalf of the skill ${quoted(skill, 64)}, ${digest ?? 'not measured'}.`;
      return { kind: 'ask', question: visibleText(`${verdict.question}${behalf}`) };
    },
    judgeAnswer(call) {
      const verdict = judged(call);
      if (verdict.kind !== 'ask' || isAsked(call)) return verdict;
      return { kind: 'refuse', error: nobodyAsked(call.name) };
    },
    async pass(call) {
      const verdict = judged(call);
      if (verdict.kind === 'refuse') throw verdict.error;
      const question = isAsked(call) ? asked.get(call.id) : undefined;
      asked.delete(call.id);
      if (verdict.kind === 'allow') return;
      if (question === undefined) throw nobodyAsked(call.name);
      if (question.digest !== (await sized(call))) throw changed(call.name);
    },
  };
}

/** Of all files of a skill; `undefined` where it cannot be measured: then nobody can tell whether it changes. */
async function digestOf(
  location: string,
  { view }: Pick<SkillSession, 'view'>,
  {
    sha256,
    signal = new AbortController().signal,
  }: { readonly sha256: Sha256; readonly signal?: AbortSignal | undefined },
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
