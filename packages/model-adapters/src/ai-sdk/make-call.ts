import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import type { JsonObject, ModelRequest } from '@skillpack/core';
import type { AiSdkOptions, StructuredForm } from './ai-sdk-options.js';
import type { AskedForm } from './form-ladder.js';
import { makePrompt } from './make-prompt.js';

/** How a request is put to a provider. */
export interface ProviderCall {
  readonly asked: AskedForm;
  readonly call: LanguageModelV4CallOptions;
  /** The tool that takes a whole decision. */
  readonly decide: string;
}

const description = 'The decision: exactly one action and, where the plan changes, its update.';

// Of a schema that is held to strictly, OpenAI and those like it want every field required and no object open: then a
// decision could leave nothing out, and a tool would have no input.
const loose: SharedV4ProviderOptions = Object.fromEntries(
  ['openai', 'azure', 'openaiCompatible', 'groq'].map((provider) => [provider, { strictJsonSchema: false }]),
);

const oneCall: SharedV4ProviderOptions = { anthropic: { disableParallelToolUse: true } };

/** Puts a request in a form. The request stays as it is. */
export function makeCall(request: ModelRequest, asked: AskedForm, options: AiSdkOptions): ProviderCall {
  const { form, earlier } = asked;
  const { maxOutputTokens, temperature, seed, headers } = options;
  const decide = freeName(request);
  const native = options.nativeTools === true ? request.tools : [];
  const tools = earlier === 'calls' ? { decide, native: new Set(native.map(({ name }) => name)) } : undefined;
  return {
    asked,
    decide,
    call: {
      prompt: makePrompt(request, tools),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(seed === undefined ? {} : { seed }),
      ...(headers === undefined ? {} : { headers: { ...headers } }),
      ...(form === 'schema' ? schemaOf(request) : {}),
      ...(form === 'tools' ? toolsOf(request, { decide, native }) : {}),
      ...providerOptionsOf(form, options),
    },
  };
}

function schemaOf({ answerSchema }: ModelRequest): Partial<LanguageModelV4CallOptions> {
  return { responseFormat: { type: 'json', name: 'decision', description, schema: asSchema(answerSchema) } };
}

interface CalledTools {
  readonly decide: string;
  readonly native: ModelRequest['tools'];
}

function toolsOf({ answerSchema }: ModelRequest, { decide, native }: CalledTools): Partial<LanguageModelV4CallOptions> {
  const tools = [...native, { name: decide, description, inputSchema: answerSchema }].map(
    (tool): LanguageModelV4FunctionTool => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema: asSchema(tool.inputSchema),
      strict: false,
    }),
  );
  return { tools, toolChoice: native.length > 0 ? { type: 'required' } : { type: 'tool', toolName: decide } };
}

/** What was handed in counts before what is set here. */
function providerOptionsOf(
  form: StructuredForm,
  { providerOptions = {} }: AiSdkOptions,
): Partial<LanguageModelV4CallOptions> {
  const own = form === 'schema' ? loose : form === 'tools' ? oneCall : {};
  const providers = [...new Set([...Object.keys(own), ...Object.keys(providerOptions)])];
  if (providers.length === 0) return {};
  return {
    providerOptions: Object.fromEntries(
      providers.map((provider) => [provider, { ...own[provider], ...providerOptions[provider] }]),
    ),
  };
}

/** A name that no tool of the request has. */
function freeName({ tools }: ModelRequest): string {
  const taken = new Set(tools.map(({ name }) => name));
  let name = 'decide';
  while (taken.has(name)) name += '_';
  return name;
}

/** Draft 2020-12, of which what is used here means the same in draft 7. */
function asSchema(schema: JsonObject): JSONSchema7 {
  return schema;
}
