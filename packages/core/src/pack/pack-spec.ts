import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { withoutCredentials } from '../errors/without-credentials.js';
import { isPackName, parsePackName, type PackName } from './pack-name.js';
import { isTagName } from './tag-name.js';
import { isVersionRange } from './version.js';

/** What a person asks to install. */
export type PackSpec =
  /** `range` is a version range, or a tag where it is not one. */
  | { readonly kind: 'registry'; readonly name: PackName; readonly range: string | undefined }
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'url'; readonly url: string };

/**
 * Reads what a person types after `skills install`: `org/pdf`, `org/pdf@^1`, `org/pdf@beta`, `./folder`, `./pack.tgz`,
 * `https://host/pack.tgz`. A path must begin with `.`, `/`, `~` or a drive, so that no folder name is taken for a pack.
 *
 * @throws `INVALID_SPEC`, `INVALID_PACK_NAME`, `INVALID_RANGE`.
 */
export function parsePackSpec(text: string): PackSpec {
  const trimmed = text.trim();
  if (/^(?:\.{1,2}(?:$|[\\/])|[\\/]|~(?:$|[\\/])|[A-Za-z]:[\\/])/u.test(trimmed))
    return { kind: 'path', path: trimmed };
  if (/^https?:\/\//iu.test(trimmed)) return { kind: 'url', url: parseUrl(trimmed) };
  if (/^[a-z][a-z0-9+.-]*:/iu.test(trimmed)) throw unsupportedScheme(trimmed);
  const at = trimmed.indexOf('@', 1);
  const name = at === -1 ? trimmed : trimmed.slice(0, at);
  if (!name.includes('/') || name.startsWith('.')) throw notASpec(trimmed);
  const range = at === -1 ? undefined : trimmed.slice(at + 1);
  if (range !== undefined && (range === '' || (!isVersionRange(range) && !isTagName(range)))) {
    throw new SkillsError(
      'INVALID_RANGE',
      `${quoted(range)} in ${quoted(trimmed)} is neither a version range nor a tag.`,
      {
        hint: 'Write it as org/pdf@1.2.0, org/pdf@^1 or org/pdf@beta.',
        data: { spec: trimmed, range },
      },
    );
  }
  return { kind: 'registry', name: parsePackName(name), range };
}

function parseUrl(text: string): string {
  if (URL.canParse(text)) return text;
  throw new SkillsError('INVALID_SPEC', `${quoted(withoutCredentials(text))} is not a URL.`);
}

function unsupportedScheme(text: string): SkillsError {
  const scheme = text.slice(0, text.indexOf(':') + 1);
  // What stands before an `@` is a password, if anything: `me:secret@host/x`.
  const shown = withoutCredentials(text).replace(/^([^:]*:)[^\\/]*@/u, '$1');
  return new SkillsError(
    'INVALID_SPEC',
    `${quoted(scheme)} in ${quoted(shown)} is not a source this version can install from.`,
    {
      hint: 'Use a pack (org/pdf), a path (./folder, ./pack.tgz) or an https: URL of an archive.',
      data: { spec: shown },
    },
  );
}

function notASpec(text: string): SkillsError {
  const path = text.startsWith('.') || /\.(?:tgz|zip|tar\.gz)$/iu.test(text);
  return new SkillsError('INVALID_SPEC', `${quoted(text)} is neither a pack, a path nor a URL.`, {
    hint: path
      ? `A path begins with a dot: did you mean ./${text}?`
      : `A pack is org/name, for example org/${isPackName(`org/${text}`) ? text : 'pdf'}; a folder is written ./${text}.`,
    data: { spec: text },
  });
}
