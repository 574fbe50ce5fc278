import { SkillsError } from '@skillpack/core';
import type { ModelMessage, SingleToolApprovalFunction } from 'ai';
import type { OfferedTool } from '../session/offered-tool.js';
import type { ToolGate } from '../session/tool-gate.js';
import type { AiTool } from './ai-tool.js';
import { asksItself } from './asks-itself.js';

/** Whether a tool needs a yes, told as the AI SDK asks for it. */
export type AiApproval = SingleToolApprovalFunction<unknown, unknown, unknown>;

/** Asks the gate whether a tool may be used. */
export function askForApproval(offered: OfferedTool<AiTool>, gate: ToolGate): AiApproval {
  const { name } = offered;
  return async (input, { toolCallId: id, messages, toolContext: context }) => {
    // To ask now would be to take the answer for that to another question: whether it is one, the gate knows.
    if (isAnswered(id, messages)) return undefined;
    const call = { id, name, input };
    const allowed = await gate.judge(call);
    const asks =
      allowed.kind === 'allow' &&
      offered.kind === 'theirs' &&
      (await asksItself(offered.tool, input, { toolCallId: id, messages, context }));
    const verdict = asks ? await gate.judge({ ...call, asks }) : allowed;
    // Input that does not fit is no matter of permission: the tool tells the model.
    if (verdict.kind === 'refuse' && SkillsError.is(verdict.error, 'INVALID_INPUT')) return undefined;
    if (verdict.kind === 'refuse') return { type: 'denied', reason: verdict.error.message };
    return verdict.kind === 'ask' ? { type: 'user-approval', reason: verdict.question } : undefined;
  };
}

/** Whether a call has its yes in the newest message: then the AI SDK asks once more, before it acts. After a no, it does not. */
function isAnswered(toolCallId: string, messages: readonly ModelMessage[]): boolean {
  const newest = messages.at(-1);
  if (newest?.role !== 'tool') return false;
  const answers = newest.content.flatMap((part) =>
    part.type === 'tool-approval-response' && part.approved ? [part.approvalId] : [],
  );
  return messages.some(
    ({ role, content }) =>
      role === 'assistant' &&
      typeof content !== 'string' &&
      content.some(
        (part) =>
          part.type === 'tool-approval-request' && part.toolCallId === toolCallId && answers.includes(part.approvalId),
      ),
  );
}
