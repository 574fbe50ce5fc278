import { agentActionKinds, type ErrorCode } from '@skillpack/core';
import * as z from 'zod/mini';

/** The errors of a provider: those are recorded, and replayed as errors. */
export const providerErrors = [
  'NETWORK_ERROR',
  'TIMEOUT',
  'RATE_LIMITED',
  'OVERLOADED',
  'MODEL_ERROR',
  'UNAUTHORIZED',
  'MODEL_NOT_FOUND',
  'CONTEXT_TOO_LONG',
  'MODEL_REFUSED',
  'REQUEST_REFUSED',
] as const satisfies readonly ErrorCode[];

const digest = z.lazy(() =>
  z
    .string()
    .check(z.regex(/^sha256:[0-9a-f]{64}$/u, { error: 'expected a digest (sha256: and 64 hexadecimal digits)' })),
);
const name = z.lazy(() => z.string().check(z.minLength(1), z.maxLength(512)));
const count = z.lazy(() => z.int().check(z.minimum(0)));
const jsonObject = z.lazy(() => z.record(z.string(), z.unknown()));

const header = z.lazy(() =>
  z.object({
    kind: z.literal('cassette'),
    formatVersion: z.literal(1),
    model: name,
    contextTokens: z.int().check(z.minimum(1)),
    nativeTools: z.optional(z.boolean()),
    skills: z.optional(z.record(name, digest)),
  }),
);

const text = z.lazy(() => z.object({ kind: z.literal('text'), digest, text: z.string() }));

const tools = z.lazy(() =>
  z.object({
    kind: z.literal('tools'),
    digest,
    tools: z.array(z.object({ name: z.string(), description: z.string(), inputSchema: jsonObject })),
  }),
);

const message = z.lazy(() =>
  z.union(
    [
      z.object({ role: z.enum(['user', 'assistant']), content: z.string() }),
      z.object({ role: z.literal('observation'), ok: z.boolean(), content: z.string() }),
    ],
    { error: 'expected a message of a user, of an assistant, or an observation with ok' },
  ),
);

const request = z.lazy(() =>
  z.object({
    model: name,
    system: digest,
    tools: digest,
    actions: z.array(z.enum(agentActionKinds)),
    answerSchema: digest,
    after: z.optional(digest),
    messages: z.array(message),
  }),
);

const answer = z.lazy(() =>
  z.object({
    text: z.string(),
    reasoning: z.optional(z.string()),
    finish: z.enum(['stop', 'length', 'refused', 'other']),
    usage: z.object({
      inputTokens: count,
      outputTokens: count,
      cachedInputTokens: z.optional(count),
      cacheWriteTokens: z.optional(count),
      reasoningTokens: z.optional(count),
      cost: z.optional(z.number().check(z.minimum(0))),
    }),
  }),
);

const failure = z.lazy(() =>
  z.object({
    code: z.enum(providerErrors, { error: 'expected a code of an error of a provider, such as RATE_LIMITED' }),
    message: z.string(),
    hint: z.optional(z.string()),
    retryAfter: z.optional(z.number().check(z.minimum(0))),
  }),
);

const answered = z.lazy(() => z.object({ kind: z.literal('answer'), key: digest, request, answer }));
const failed = z.lazy(() => z.object({ kind: z.literal('error'), key: digest, request, error: failure }));

/** A line of a cassette. */
export const cassetteLineSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [header, text, tools, answered, failed], {
    error: 'expected a line of the kind cassette, text, tools, answer or error',
  }),
);

/** What a line of a cassette says. */
export type CassetteLine = z.output<typeof cassetteLineSchema>;

/** The first line: with what the cassette was recorded. */
export type CassetteHeader = Extract<CassetteLine, { kind: 'cassette' }>;

/** A line with a call of a model: what it was asked, and what came of it. */
export type CassetteCall = Extract<CassetteLine, { kind: 'answer' | 'error' }>;
