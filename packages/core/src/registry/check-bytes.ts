import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { textWithoutCredentials } from '../errors/without-credentials.js';
import { nameKind } from './name-kind.js';
import type { SkillEntry } from './skill-entry.js';

/**
 * What a backend gave for a file, as bytes, whichever realm they come from. Of a string it is not known which bytes its
 * digest would be of, so none is taken.
 *
 * @throws `REGISTRY_ERROR` for what is no `Uint8Array`.
 */
export function checkBytes(
  value: unknown,
  { kind, skill, path }: { readonly kind: string; readonly skill: SkillEntry; readonly path: string },
): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === '[object Uint8Array]')
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const location = textWithoutCredentials(skill.location);
  throw new SkillsError(
    'REGISTRY_ERROR',
    `The backend ${quoted(kind)} gave ${nameKind(value)} for ${quoted(path)} of the skill ${quoted(skill.name)} at ${quoted(location)}; a Uint8Array is expected.`,
    {
      hint:
        typeof value === 'string'
          ? 'Keep the content as bytes (in a database, as BLOB), or let the backend encode it: `new TextEncoder().encode(text)`.'
          : 'Let `bytes` of the backend return the content of the file as a Uint8Array.',
      data: { kind, skill: skill.name, location, path },
    },
  );
}
