import type { ErrorCode } from '@skillpack/core';
import { networkReason, unknownReason } from './network-reason.js';
import type { ProviderFailure } from './provider-failure.js';

/** What a failure means. */
export interface Verdict {
  readonly code: ErrorCode;
  /** A predicate, whose subject is the host or the provider. */
  readonly says: string;
  /** What to do next. */
  readonly hint: string;
}

/** What a failure of a provider means. What the server says counts before its status: servers disagree about those. */
export function judgeFailure(failure: ProviderFailure): Verdict {
  return judgeNames(failure) ?? judgeWords(failure) ?? judgeStatus(failure) ?? judgeNetwork(failure) ?? unreadable;
}

// As OpenAI, Anthropic, vLLM, Ollama, llama.cpp, LM Studio, Mistral, Groq, OpenRouter, Gemini and TGI word it.
const tooLong =
  /context_length_exceeded|exceed_context_size|context_window_exceeded|maximum context length|maximum (?:model|sequence|prompt) length|prompt is too long|prompt (?:contains|has) .{0,40}tokens.{0,80}(?:exceed|larger|maximum)|input (?:is|was) too long|(?:exceeds?|exceeded|larger than|greater than|longer than|over|beyond) (?:the )?(?:available |model'?s |maximum |max )*(?:context|input (?:token|length)|token limit|sequence length)|context (?:window|length|size)(?: of .{0,40})? (?:is |was |has been )?exceeded|context (?:the )?overflows?|too many (?:input )?tokens|reduce the length of the (?:messages|input|prompt)|input token count .{0,40}exceeds|`?inputs`? (?:tokens )?.{0,40}must (?:have less than|be <=)|max_prompt_tokens_exceeded|model_max_prompt_tokens/iu;
const noQuota =
  /insufficient_quota|billing_hard_limit|billing_error|billing_not_active|credit balance is too low|insufficient (?:credits|balance|funds)|exceeded your current quota/iu;
const filtered =
  /content_filter|content_policy_violation|responsible_?ai_?policy|content management policy|flagged as potentially violating/iu;
const unknownModel =
  /model_not_found|model_not_available|no such model|invalid model|(?:the )?model .{0,120}(?:not found|does not exist|not exist|is not available|not loaded)|not a valid model/iu;

function judgeWords(failure: ProviderFailure): Verdict | undefined {
  const { status, said } = failure;
  const words = failure.words.join(' ');
  const refused = status === undefined || (status >= 400 && status !== 401 && status !== 403);
  if (!refused) return undefined;
  const text = `${words}\n${said}`;
  // A rate limit speaks of tokens, too, and a quota of the plan.
  if (noQuota.test(text) || status === 402) return verdicts.quota;
  if (status === 429 || /rate_?limit/u.test(words)) {
    return /request too large/iu.test(said) ? verdicts.tooLarge : verdicts.rate;
  }
  if (tooLong.test(text)) return verdicts.length;
  if (filtered.test(text)) return verdicts.filter;
  if (/overloaded|over_?capacity|slow_down|unavailable/u.test(words)) return verdicts.overload;
  if (/authentication_error|permission_error|invalid_api_key/u.test(words)) return verdicts.key(401);
  const clientSide = status === undefined || status < 500;
  if (clientSide && (unknownModel.test(text) || words.includes('not_found_error'))) return verdicts.model(failure.url);
  if (status === undefined && /api_error|server_error|internal/u.test(words)) return verdicts.server(500);
  return undefined;
}

function judgeStatus({ status, url }: ProviderFailure): Verdict | undefined {
  if (status === undefined || status < 400) return undefined;
  if (status === 401 || status === 403 || status === 407) return verdicts.key(status);
  if (status === 404 || status === 410) return verdicts.model(url);
  if (status === 408 || status === 504 || status === 524) return verdicts.slow(status);
  if (status === 503 || status === 529) return verdicts.overload;
  if (status === 413) return verdicts.tooLarge;
  return status < 500 ? verdicts.refused(status) : verdicts.server(status);
}

// Of an error of fetch whose cause has no code: in browsers, and for ports that it never asks.
const fetchWords = /fetch failed|failed to fetch|^terminated$|network ?error|load failed/iu;
const packageWords = /^cannot connect to api/iu;
// So packages call an answer that broke off where the connection was closed as if nothing was missing.
const endWords = /^response stream ended without a finish reason/iu;

function judgeNetwork({ codes, names, message }: ProviderFailure): Verdict | undefined {
  const fetched = (names.includes('TypeError') && fetchWords.test(message)) || packageWords.test(message);
  const ended = endWords.test(message) ? networkReason(['ECONNRESET']) : undefined;
  const reason = networkReason([...codes, ...names]) ?? ended ?? (fetched ? unknownReason : undefined);
  if (reason === undefined) return undefined;
  return { code: reason.kind === 'timeout' ? 'TIMEOUT' : 'NETWORK_ERROR', says: reason.says, hint: reason.hint };
}

const byName: readonly (readonly [names: readonly string[], verdict: Verdict])[] = [
  [['AbortError', 'ResponseAborted'], { code: 'INTERRUPTED', says: 'was not waited for', hint: 'Ask again.' }],
  [['TimeoutError'], { code: 'TIMEOUT', says: 'did not answer in time', hint: 'Ask again, or allow it more time.' }],
  [
    ['AI_NoSuchModelError'],
    { code: 'MODEL_NOT_FOUND', says: 'has no such model', hint: 'Check how the model is spelled.' },
  ],
  [['AI_LoadAPIKeyError'], { code: 'UNAUTHORIZED', says: 'was given no key', hint: 'Hand in the API key.' }],
  [
    ['AI_UnsupportedFunctionalityError', 'AI_InvalidArgumentError', 'AI_InvalidPromptError', 'AI_LoadSettingError'],
    {
      code: 'REQUEST_REFUSED',
      says: 'cannot be asked in this way: its package refuses the request',
      hint: 'Check the options of the model.',
    },
  ],
];

function judgeNames({ names, codes }: ProviderFailure): Verdict | undefined {
  // So undici calls a proxy that lets nothing through. What a caller aborts has no code of it.
  if (codes.includes('UND_ERR_ABORTED')) return undefined;
  return byName.find(([known]) => known.some((name) => names.includes(name)))?.[1];
}

const unreadable: Verdict = {
  code: 'MODEL_ERROR',
  says: 'did not answer as its protocol says',
  hint: 'Ask again. If it stays so, check that the URL belongs to this kind of server.',
};

const verdicts = {
  quota: {
    code: 'REQUEST_REFUSED',
    says: 'does not answer because the credit or the quota of the account is used up',
    hint: 'Waiting does not help: raise the limit of the account, or ask another model.',
  },
  rate: {
    code: 'RATE_LIMITED',
    says: 'was asked too often',
    hint: 'Wait, or have the rate limit of the account raised.',
  },
  tooLarge: {
    code: 'CONTEXT_TOO_LONG',
    says: 'does not take a request of this size',
    hint: 'Offer fewer skills and tools, begin a new conversation, or ask a model that takes more.',
  },
  length: {
    code: 'CONTEXT_TOO_LONG',
    says: 'has a smaller window than the request needs',
    hint: 'Set `contextTokens` to the real window of the model, offer fewer skills, or begin a new conversation.',
  },
  filter: {
    code: 'MODEL_REFUSED',
    says: 'has a filter that does not let the request through',
    hint: 'Say it in another way, or ask another model.',
  },
  overload: {
    code: 'OVERLOADED',
    says: 'has no room for the request at the moment',
    hint: 'Ask again later, or ask another model.',
  },
  key: (status: number) => ({
    code: 'UNAUTHORIZED',
    says: `does not accept the key (${status})`,
    hint: 'Check the API key, that it belongs to this server, and that it may use this model.',
  }),
  model: (url: URL | undefined) => ({
    code: 'MODEL_NOT_FOUND',
    says: 'does not know the model, or there is no such address',
    hint: `Check how the model is spelled, and that the key may use it${pathHint(url)}.`,
  }),
  slow: (status: number) => ({
    code: 'TIMEOUT',
    says: `did not answer in time (${status})`,
    hint: 'Ask again, or ask for a shorter answer.',
  }),
  server: (status: number) => ({
    code: 'MODEL_ERROR',
    says: `failed (${status})`,
    hint: 'Ask again. If it stays so, look at the status page or the log of the server.',
  }),
  refused: (status: number) => ({
    code: 'REQUEST_REFUSED',
    says: `does not take the request as it is (${status})`,
    hint: 'It would say the same again: check the options of the model, and whether it can do what is asked.',
  }),
} as const satisfies Readonly<Record<string, Verdict | ((value: never) => Verdict)>>;

function pathHint(url: URL | undefined): string {
  if (url === undefined || /\/v\d/u.test(url.pathname)) return '';
  return `, and the URL: ${url.host} was asked for ${url.pathname}, and most servers have it below /v1`;
}
