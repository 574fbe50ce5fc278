import { isDigest, type Digest } from '../digest/is-digest.js';
import { isPackName, type PackName } from './pack-name.js';
import { isPackNamePart } from './pack-name-part.js';

// Fields of a document that are right at first sight, as in nearly every document they are. A schema takes ten times as
// long, which shows where hundreds of documents are read. Each of these agrees to no more than its schema does: what it
// does not agree to is for the schema to judge, and to say what is wrong with it.

/** The fields of an object of JSON, each to be looked at before it is believed; `undefined` for anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Readonly<Record<string, unknown>>; // JSON has no other objects
}

/** Whether a field is an object without fields: most packs depend on nothing and ask nothing of a machine. */
export function isEmptyObject(value: unknown): boolean {
  const fields = fieldsOf(value);
  return fields !== undefined && Object.keys(fields).length === 0;
}

/** Whether a field is a text of at most so many characters. */
export function isText(value: unknown, maxLength: number): value is string {
  return typeof value === 'string' && value.length <= maxLength;
}

/** Whether a field is left out, or such a text. */
export function isOptionalText(value: unknown, maxLength: number): value is string | undefined {
  return value === undefined || isText(value, maxLength);
}

/** Whether a field is a digest. */
export function isDigestField(value: unknown): value is Digest {
  return typeof value === 'string' && isDigest(value);
}

// Three numbers that a double holds exactly. Prereleases and build metadata have more rules.
const threeNumbers = /^(?:0|[1-9]\d{0,14})\.(?:0|[1-9]\d{0,14})\.(?:0|[1-9]\d{0,14})$/u;

/** Whether a field is a version of three numbers. */
export function isPlainVersion(value: unknown): value is string {
  return typeof value === 'string' && threeNumbers.test(value);
}

/** Whether a field is the name of a pack. */
export function isPackNameField(value: unknown): value is PackName {
  return typeof value === 'string' && isPackName(value);
}

/** Whether a field is a name that every skill may have: what can be half the name of a pack. */
export function isPlainSkillName(value: unknown): value is string {
  return typeof value === 'string' && isPackNamePart(value);
}

const mostSkills = 1000;

/** Whether a field lists such names. */
export function arePlainSkillNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.length <= mostSkills && value.every(isPlainSkillName);
}
