import { resolve } from 'node:path';
import { SkillsError, withoutCredentials } from '@skillpack/core';
import { docPages } from '../frame/doc-pages.js';
import { expandHome } from './expand-home.js';
import { refuseRemoteFolder } from './refuse-remote-folder.js';
import type { RegistrySetting, SettingOrigin } from './settings.js';

/** Where a value was found. */
export interface RegistrySource {
  readonly origin: SettingOrigin;
  /** What a message calls it: `SKILLS_REGISTRY`. */
  readonly name: string;
  /** Relative folders start from here. */
  readonly base: string;
  readonly home: string;
}

/**
 * Reads the address of a registry: an http(s) URL, or a folder.
 *
 * @throws `INVALID_CONFIG` (`USAGE` for an option) for a URL of another scheme or one with a password in it, and for a
 * folder of another machine that a project names.
 */
export function readRegistrySetting(value: string, source: RegistrySource): RegistrySetting {
  const { origin, name, base, home } = source;
  const code = origin === 'flag' ? 'USAGE' : 'INVALID_CONFIG';
  if (/^https?:/iu.test(value)) {
    if (!URL.canParse(value))
      throw new SkillsError(code, `${name} is “${withoutCredentials(value)}”, which is no URL.`);
    const url = new URL(value);
    if (url.username !== '' || url.password !== '') {
      throw new SkillsError(
        code,
        `${name} is a URL with a user name or a password in it (${withoutCredentials(value)}).`,
        {
          hint: `Leave them out, and put a token into SKILLS_TOKEN or into credentials.json (see ${docPages.cli}).`,
        },
      );
    }
    url.search = '';
    url.hash = '';
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return { kind: 'http', location: url.href, origin };
  }
  if (/^[a-z][a-z0-9+.-]+:/iu.test(value)) {
    throw new SkillsError(code, `${name} is “${withoutCredentials(value)}”; a registry is an http(s) URL or a folder.`);
  }
  if (origin === 'project') refuseRemoteFolder(value, name);
  return { kind: 'folder', location: resolve(base, expandHome(value, home)), origin };
}
