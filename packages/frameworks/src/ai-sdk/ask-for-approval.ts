import { SkillsError } from '@skillpack/core';
import type { SingleToolApprovalFunction } from 'ai';
import type { OfferedTool } from '../session/offered-tool.js';
import type { ToolGate } from '../session/tool-gate.js';
import type { AiTool } from './skill-tools.js';

/** Whether a tool needs a yes, told as the AI SDK asks for it. */
export type AiApproval = SingleToolApprovalFunction<unknown, unknown, unknown>;

/** Asks the gate whether a tool may be used. */
export function askForApproval(offered: OfferedTool<AiTool>, gate: ToolGate): AiApproval {
  const { name } = offered;
  return async (input, { toolCallId: id, messages, toolContext: context }) => {
    // Input that does not fit is told to the model, and nobody is asked about it.
    if (offered.kind === 'ours' && !fits(offered.tool, input)) return undefined;
    const verdict = await gate.judge({ id, name, input });
    if (verdict.kind === 'refuse') return { type: 'denied', reason: verdict.error.message };
    if (verdict.kind === 'ask') return { type: 'user-approval', reason: verdict.question };
    if (offered.kind === 'ours') return undefined;
    const { needsApproval = false } = offered.tool;
    const needed =
      typeof needsApproval === 'function'
        ? await needsApproval(input, { toolCallId: id, messages, context })
        : needsApproval;
    return needed ? 'user-approval' : undefined;
  };
}

function fits({ check }: Extract<OfferedTool<AiTool>, { kind: 'ours' }>['tool'], input: unknown): boolean {
  try {
    check?.(input);
    return true;
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return false;
  }
}
