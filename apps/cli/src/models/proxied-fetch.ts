import type { ProviderFetch } from '@skillpack/model-adapters';
import type { Proxies } from '@skillpack/registry-http';
import { Agent, EnvHttpProxyAgent, fetch } from 'undici';
import { isThisMachine } from './refuse-offline.js';

/**
 * Sends requests by way of proxies. This machine is reached directly, whatever they except: a key goes there over plain
 * http, which a proxy could read.
 */
export function proxiedFetch({ http, https, except }: Proxies): ProviderFetch {
  const direct = new Agent();
  const proxied = new EnvHttpProxyAgent({ httpProxy: http, httpsProxy: https, noProxy: except });
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const dispatcher = isThisMachine(url.hostname) ? direct : proxied;
    // Casts: undici declares the types of `fetch` anew, with the same shape as those of the platform.
    const answer = await fetch(url, { ...(init as Parameters<typeof fetch>[1]), dispatcher });
    return answer as unknown as Response;
  };
}
