import { expectOptions, SkillsError } from '@skillpack/core';
import type { AiSdkOptions } from '../ai-sdk/ai-sdk-options.js';
import { aiSdkOptionNames } from '../ai-sdk/check-ai-sdk-options.js';
import { checkHeaders, checkKey, checkModelName } from './check-headers.js';
import { guardFetch } from './guard-fetch.js';
import { makeCleaner } from './make-cleaner.js';
import { type BaseUrl, parseBaseUrl } from './parse-base-url.js';
import type { ProviderFetch } from './provider-fetch.js';
import type { ProviderOptions } from './provider-options.js';
import { readProviderError } from './read-provider-error.js';
import { secretHeaderValues } from './secret-header-values.js';

/** What adapters of every provider that is reached by HTTP are given. */
export interface ConnectionOptions extends ProviderOptions {
  readonly baseURL: string;
  readonly apiKey?: string | undefined;
}

const connectionOptionNames: Readonly<Record<keyof ConnectionOptions, true>> = {
  ...aiSdkOptionNames,
  baseURL: true,
  model: true,
  apiKey: true,
  allowInsecure: true,
  fetch: true,
  maxBytes: true,
};

/** What the protocol of a provider settles. */
export interface Protocol {
  /** The function that takes the options. */
  readonly of: string;
  /** What a base URL may have been copied with: `/chat/completions`. */
  readonly endpoint: string;
  /** Whether a base URL may have a query. */
  readonly query: boolean;
  /** Whether nobody is answered without a key. */
  readonly keyed: boolean;
  /** The adapter's name, where none is given. */
  readonly nameOf: (host: string) => string;
}

/** A provider that was judged, and can be asked. */
export interface Connection {
  readonly base: BaseUrl;
  readonly fetch: ProviderFetch;
  /** For `aiSdk`: headers that were judged, a name, and errors told without keys. */
  readonly settings: AiSdkOptions;
}

/** Judges what an adapter is given, before anything is sent. @throws `ADDRESS_REFUSED`, `USAGE`. */
export function connectProvider(
  options: ConnectionOptions,
  { of, endpoint, query, keyed, nameOf }: Protocol,
): Connection {
  expectOptions(options, { of, names: connectionOptionNames });
  const { apiKey, allowInsecure = false, maxBytes, baseURL, model, fetch, ...asked } = options;
  checkModelName(model);
  checkLimit(maxBytes);
  const { headers, secrets: headerSecrets } = checkHeaders(asked.headers ?? {});
  const secrets = [...(apiKey === undefined && !keyed ? [] : [checkKey(apiKey ?? '')]), ...headerSecrets];
  const base = parseBaseUrl(baseURL, { endpoint, query, secret: secrets.length > 0, allowInsecure });
  const hidden = [...secrets, ...secretHeaderValues(base.parameters)];
  // A name has no blanks: they would end it in a log.
  const name = asked.name ?? nameOf(base.host).replaceAll(' ', '_');
  return {
    base,
    fetch: guardFetch(fetch, { model: name, maxBytes, clean: makeCleaner(hidden) }),
    settings: {
      ...asked,
      name,
      headers,
      readError:
        asked.readError ??
        ((error) => readProviderError(error, { model: name, now: asked.clock?.now(), secrets: hidden })),
    },
  };
}

function checkLimit(maxBytes: number | undefined): void {
  if (maxBytes === undefined || (Number.isSafeInteger(maxBytes) && maxBytes > 0)) return;
  throw new SkillsError('USAGE', `maxBytes is ${maxBytes}; it is a whole number of bytes, 1 or more.`);
}
