import type { ProviderOptions, ProviderFetch } from '@skillpack/model-adapters';
import { readProxies } from '@skillpack/registry-http';
import { readSwitch } from '../settings/read-switch.js';

/** How providers are reached from here. */
export type ModelConnection = Pick<ProviderOptions, 'allowInsecure' | 'fetch'>;

/**
 * What a person's environment says of the way to a provider: `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, and by
 * `SKILLS_MODEL_INSECURE` whether a key may go over plain http to another machine.
 *
 * @throws `INVALID_CONFIG` for a proxy that is none, and a switch that is neither 1 nor 0.
 */
export function modelConnection(env: NodeJS.ProcessEnv): ModelConnection {
  const allowInsecure = readSwitch(env, 'SKILLS_MODEL_INSECURE') ?? false;
  const proxies = readProxies(env);
  // Node's own client takes none of an environment, and is there already.
  if (proxies.http === '' && proxies.https === '') return { allowInsecure, fetch: undefined };
  const load = async (): Promise<ProviderFetch> => (await import('./proxied-fetch.js')).proxiedFetch(proxies);
  let loading: Promise<ProviderFetch> | undefined;
  const fetch: ProviderFetch = async (input, init) => {
    loading ??= load();
    return (await loading)(input, init);
  };
  return { allowInsecure, fetch };
}
