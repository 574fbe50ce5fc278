import { SkillsError } from '@skillpack/core';

/** What stands between this machine and the open internet. */
export interface Proxy {
  /** Its URL, http or https, perhaps with a user name and a password for it. */
  readonly url: string;
  /** Hosts that are connected to directly, as `NO_PROXY` lists them. */
  readonly except: readonly string[];
}

/** Reads `HTTPS_PROXY` and `NO_PROXY`, in either case. @throws `INVALID_CONFIG` for a proxy that is none. */
export function readProxy(environment: Readonly<Record<string, string | undefined>>): Proxy | undefined {
  const value = variable(environment, 'https_proxy');
  if (value === '') return undefined;
  const url = value.includes('://') ? value : `http://${value}`;
  if (!/^https?:\/\//u.test(url) || !URL.canParse(url)) {
    throw new SkillsError('INVALID_CONFIG', 'HTTPS_PROXY is not the http or https URL of a proxy.', {
      hint: 'It looks like http://proxy.example:3128.',
    });
  }
  const except = variable(environment, 'no_proxy')
    .toLowerCase()
    .split(/[\s,]+/u);
  return { url, except: except.filter((entry) => entry !== '') };
}

/** Whether a URL is asked for through a proxy: `example.com` in `NO_PROXY` is that host and all below it. */
export function isProxied(url: URL, { except }: Proxy): boolean {
  return !except.some((entry) => {
    const { host = '', port } = /^(?:\*?\.)?(?<host>.*?)(?::(?<port>\d+))?$/u.exec(entry)?.groups ?? {};
    if (port !== undefined && port !== (url.port === '' ? '443' : url.port)) return false;
    return host === '*' || url.hostname === host || url.hostname.endsWith(`.${host}`);
  });
}

function variable(environment: Readonly<Record<string, string | undefined>>, name: string): string {
  return environment[name] ?? environment[name.toUpperCase()] ?? '';
}
