import { type Body, isBody, listOf, type ProviderCall } from './provider-call.js';
import type { Said } from './said.js';

/**
 * What a model that was asked in some form says: where it is to call a tool, the text is what it calls it with; where its
 * tools are handed over and the text is a decision to call one of them, it calls that. What is no JSON, no model can call a
 * tool with: it comes as text, as from a model that does not obey.
 */
export function sayInForm({ body }: ProviderCall, text: string): Said {
  const names = listOf(body['tools']).filter(isBody).map(nameOf);
  const decision = jsonOf(text);
  if (names.length === 0 || decision === undefined) return { parts: [{ kind: 'text', text }] };
  const action = isBody(decision['action']) ? decision['action'] : {};
  const { kind, tool, input } = action;
  if (kind === 'call_tool' && typeof tool === 'string' && names.includes(tool)) {
    return { parts: [{ kind: 'call', name: tool, input: JSON.stringify(input) }] };
  }
  return { parts: [{ kind: 'call', name: names.at(-1) ?? '', input: text }] };
}

function nameOf(tool: Body): string {
  return String(isBody(tool['function']) ? tool['function']['name'] : tool['name']);
}

function jsonOf(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isBody(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
