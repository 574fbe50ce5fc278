import { SkillsError } from '@skillpack/core';
import * as z from 'zod/mini';
import { readRegularFile } from '../files/read-regular-file.js';

const maxBytes = 8 * 1024 * 1024;

const credentialsSchema = z.lazy(() =>
  z.object({
    formatVersion: z._default(z.literal(1), 1),
    registries: z.record(z.string(), z.object({ token: z.string().check(z.minLength(1), z.maxLength(8192)) })),
  }),
);

/**
 * Reads `credentials.json`: tokens by the URL of a registry. A file that does not exist holds none.
 *
 * @returns tokens by URL, each ending in a slash.
 * @throws `CREDENTIALS_EXPOSED` on POSIX when anybody but its owner may read or write it; `INVALID_CONFIG`; `IO_ERROR`.
 */
export function readCredentials(path: string): ReadonlyMap<string, string> {
  const json = readPrivateFile(path);
  if (json === undefined) return new Map();
  const result = credentialsSchema.safeParse(parse(json, path));
  if (!result.success) {
    throw new SkillsError(
      'INVALID_CONFIG',
      `${path} is not valid at ${result.error.issues[0]?.path.join('.') ?? '.'}.`,
      {
        hint: 'It holds { "registries": { "https://host/": { "token": "…" } } }.',
        data: { path },
      },
    );
  }
  return new Map(
    Object.entries(result.data.registries)
      .filter(([url]) => URL.canParse(url))
      .map(([url, { token }]) => [credentialKey(url), token]),
  );
}

/** The URL under which a registry's token is kept: normalised, with a slash at its end. */
export function credentialKey(url: string): string {
  const { href } = new URL(url);
  return href.endsWith('/') ? href : `${href}/`;
}

function readPrivateFile(path: string): string | undefined {
  const bytes = readRegularFile(path, {
    maxBytes,
    check: ({ mode: all }) => {
      const mode = all & 0o777;
      // On Windows the mode says nothing of who may read a file.
      if (process.platform === 'win32' || (mode & 0o077) === 0) return;
      throw new SkillsError(
        'CREDENTIALS_EXPOSED',
        `${path} has mode ${mode.toString(8).padStart(4, '0')}, so others can read or change it; expected 0600.`,
        { hint: `Run: chmod 600 ${path}`, data: { path, mode: mode.toString(8), expected: '600' } },
      );
    },
  });
  return bytes?.toString('utf8');
}

function parse(json: string, path: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // No cause and no excerpt: the parser's message would quote the file.
    throw new SkillsError('INVALID_CONFIG', `${path} is not JSON.`, { hint: 'Correct it by hand.', data: { path } });
  }
}
