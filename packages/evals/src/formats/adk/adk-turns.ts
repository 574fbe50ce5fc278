import type { JsonObject } from '@skillpack/core';
import type { ForeignValue } from '../foreign-value.js';
import type { ImportContext } from '../import-context.js';

/** A line of the person, with what is expected of the answer to it. */
export interface AdkTurn {
  readonly at: ForeignValue;
  readonly input: string;
  /** The text of the answer. */
  readonly reference: ForeignValue | undefined;
  /** `undefined` where it does not say which tools are called. */
  readonly calls: readonly AdkCall[] | undefined;
}

/** A call of a tool that is expected. */
export interface AdkCall {
  readonly at: ForeignValue;
  readonly tool: string;
  readonly input: JsonObject;
}

/** The lines of a conversation, in both formats; lines without a text are noted. */
export function adkTurns(turns: readonly ForeignValue[], context: ImportContext): readonly AdkTurn[] {
  return turns.flatMap((at) => {
    const query = at.field('query') ?? partsText(at.field('user_content', 'userContent'), context);
    if (typeof query?.value !== 'string' || query.value.trim() === '') {
      context.notes.drop(at, 'A line of the person without a text is left out.');
      return [];
    }
    const reference = at.field('reference') ?? partsText(at.field('final_response', 'finalResponse'), context);
    return [{ at, input: query.text() ?? '', reference, calls: callsOf(at) }];
  });
}

/** The text of a message; what else is in its parts stays untaken, and so is noted. */
function partsText(message: ForeignValue | undefined, { notes }: ImportContext): ForeignValue | undefined {
  message?.field('role')?.take();
  const texts = (message?.field('parts')?.items() ?? []).flatMap((part) => part.field('text') ?? []);
  const [first, ...more] = texts.filter((text) => typeof text.value === 'string' && text.value !== '');
  for (const text of more) notes.drop(text, 'Of a message in several parts, the first text is taken over.');
  return first;
}

function callsOf(turn: ForeignValue): readonly AdkCall[] | undefined {
  const old = turn.field('expected_tool_use', 'expectedToolUse');
  if (old !== undefined) return old.items().flatMap((call) => callOf(call, call.field('tool_input', 'toolInput')));
  const data = turn.field('intermediate_data', 'intermediateData');
  const uses = data?.field('tool_uses', 'toolUses');
  if (uses !== undefined) return uses.items().flatMap((call) => callOf(call, call.field('args')));
  const events = data?.field('invocation_events', 'invocationEvents');
  if (events === undefined) return undefined;
  return events.items().flatMap((event) =>
    (event.field('content')?.field('parts')?.items() ?? []).flatMap((part) => {
      const call = part.field('function_call', 'functionCall');
      return call === undefined ? [] : callOf(call, call.field('args'));
    }),
  );
}

function callOf(at: ForeignValue, input: ForeignValue | undefined): readonly AdkCall[] {
  const name = at.field('tool_name', 'toolName', 'name');
  if (typeof name?.value !== 'string' || name.value.trim() === '') return [];
  name.take();
  input?.take();
  return [{ at: input ?? at, tool: name.value, input: input?.object ?? {} }];
}
