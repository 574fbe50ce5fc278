import { canonicalJson, recordable, type ModelMessage, type ModelRequest, type ToolDescription } from '@skillpack/core';
import { sha256 } from './sha256.js';
import type { TextForm } from './normalise-text.js';

/** A request as a cassette holds it: without secrets and texts of one machine, and with the name of who was asked. */
export interface RecordedRequest {
  /** By which its answers are found: the digest of all that follows. */
  readonly key: string;
  readonly model: string;
  readonly system: string;
  readonly systemDigest: string;
  readonly tools: readonly ToolDescription[];
  readonly toolsDigest: string;
  readonly actions: ModelRequest['actions'];
  /** Its digest: it says nothing that the actions and the system text do not. */
  readonly answerSchema: string;
  readonly messages: readonly ModelMessage[];
}

/** Brings a request into the form in which it is recorded and looked up. */
export async function recordedRequest(
  request: ModelRequest,
  { form, model }: { readonly form: TextForm; readonly model: string },
): Promise<RecordedRequest> {
  const system = form.recordAsked(request.system);
  const messages = request.messages.map((message) => ({ ...message, content: form.recordAsked(message.content) }));
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    name,
    description: form.recordAsked(description),
    // The shape stays, other texts are in it.
    inputSchema: recordTexts(recordable(inputSchema), form) as ToolDescription['inputSchema'],
  }));
  const { actions } = request;
  const [systemDigest, toolsDigest, answerSchema] = await Promise.all([
    sha256(system),
    sha256(canonicalJson(tools)),
    sha256(canonicalJson(recordable(request.answerSchema))),
  ]);
  const parts = { model, system: systemDigest, tools: toolsDigest, actions, answerSchema, messages };
  const key = await sha256(canonicalJson(recordable(parts)));
  return { key, model, system, systemDigest, tools, toolsDigest, actions, answerSchema, messages };
}

function recordTexts(value: unknown, form: TextForm): unknown {
  if (typeof value === 'string') return form.recordAsked(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => recordTexts(item, form));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [form.recordAsked(key), recordTexts(inner, form)]),
  );
}
