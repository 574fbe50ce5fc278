import { SkillsError } from '@skillpack/core';

/** The proxies that an environment names; a text of no length is none. */
export interface Proxies {
  readonly http: string;
  readonly https: string;
  /** Hosts that are connected to directly, as `NO_PROXY` lists them. */
  readonly except: string;
}

/** Reads `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`, in either case. @throws `INVALID_CONFIG`. */
export function readProxies(environment: Readonly<Record<string, string | undefined>>): Proxies {
  return {
    http: proxyOf(environment, 'http_proxy'),
    https: proxyOf(environment, 'https_proxy'),
    except: variable(environment, 'no_proxy'),
  };
}

/** As curl does, a proxy without a scheme is one by http. */
function proxyOf(environment: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = variable(environment, name);
  if (value === '') return '';
  const url = value.includes('://') ? value : `http://${value}`;
  if (/^https?:\/\//iu.test(url) && URL.canParse(url)) return url;
  throw new SkillsError('INVALID_CONFIG', `${name.toUpperCase()} is not the http or https URL of a proxy.`, {
    hint: 'It looks like http://proxy.example:3128.',
  });
}

function variable(environment: Readonly<Record<string, string | undefined>>, name: string): string {
  return environment[name] ?? environment[name.toUpperCase()] ?? '';
}
