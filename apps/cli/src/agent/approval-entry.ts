import { sha256 } from '@skillpack/cli-dist';
import {
  canonicalJson,
  digestHex,
  quoted,
  SkillsError,
  visibleText,
  type ApprovalRequest,
  type Digest,
} from '@skillpack/core';
import { splitList } from './split-list.js';

/**
 * What of `--approve` is a yes, said beforehand: to a tool; to it for a skill; to it for one content of that skill; to one
 * use of a tool that no skill brought.
 */
export interface ApprovalEntry {
  /** `run_script`, or the name of a tool. */
  readonly tool: string;
  /** The name of the skill on whose behalf. @default any, and none */
  readonly skill?: string | undefined;
  /** The first digits of the digest of its folder, hexadecimal. @default whatever it holds */
  readonly digest?: string | undefined;
  /** The first digits of the digest of what the tool is given, hexadecimal. @default whatever that is */
  readonly input?: string | undefined;
}

/** What an entry is held against. */
export type AskedFor = Pick<ApprovalRequest, 'tool' | 'skill' | 'digest' | 'input'>;

const entryForm = /^(?<tool>[\w-]+)(?:\((?<skill>[^()@]*)(?:@(?<digest>[^()@]*))?\))?$/u;
const leastDigits = 12;

/**
 * The entries of a list: `run_script`, `run_script(pdf)`, `run_script(pdf@1a2b3c4d5e6f)`, `write_file(@1a2b3c4d5e6f)`.
 *
 * @throws `USAGE` for what is none.
 */
export function readApprovalEntries(list: string): readonly ApprovalEntry[] {
  return splitList(list).map(readEntry);
}

/** The entries of `--approve`; none where it is `ask`, `never` or left out. @throws `USAGE` for what is none. */
export function approvedEntries(approve: string | undefined): readonly ApprovalEntry[] {
  return approve === undefined || approve === 'ask' || approve === 'never' ? [] : readApprovalEntries(approve);
}

/**
 * An entry as a command line has it, for exactly what is asked: the skill as it is, or this one use of a tool. It has the
 * whole digest, since two contents may be made to begin with the same digits.
 */
export function entryFor({ tool, skill, digest, input }: AskedFor): string {
  if (skill === undefined) return `${tool}(@${digestHex(inputDigest(input))})`;
  const content = digest === undefined ? '' : `@${digestHex(digest)}`;
  return `${tool}(${writtenName(skill.name)}${content})`;
}

/** How far an entry is a yes to what is asked: to all such, to this alone, to another content, or not at all. */
export function judgeEntry(entry: ApprovalEntry, request: AskedFor): 'yes' | 'yes, once' | 'other content' | 'no' {
  const { tool, skill, digest, input } = entry;
  if (tool !== request.tool) return 'no';
  if (input !== undefined) {
    const same = request.skill === undefined && digestHex(inputDigest(request.input)).startsWith(input);
    return same ? 'yes, once' : 'no';
  }
  if (skill === undefined) return 'yes';
  if (request.skill === undefined || request.skill.name.normalize('NFC') !== skill.normalize('NFC')) return 'no';
  if (digest === undefined) return 'yes';
  return request.digest !== undefined && digestHex(request.digest).startsWith(digest) ? 'yes' : 'other content';
}

function inputDigest(input: unknown): Digest {
  return sha256(new TextEncoder().encode(canonicalJson(input)));
}

/** The entry that is for the same skill, and another content of it; `undefined` where there is none. */
export function otherEntry(entries: readonly ApprovalEntry[], request: AskedFor): ApprovalEntry | undefined {
  return entries.find((entry) => judgeEntry(entry, request) === 'other content');
}

function readEntry(text: string): ApprovalEntry {
  const { tool, skill, digest } = entryForm.exec(text)?.groups ?? {};
  if (tool === undefined) throw unreadable(text, 'is no tool, and no tool with a skill in parentheses');
  if (skill === undefined) return { tool };
  const hex = digest === undefined ? undefined : readDigits(digest, text);
  if (skill.trim() === '') {
    if (hex === undefined) throw unreadable(text, 'has empty parentheses');
    return { tool, input: hex };
  }
  const name = readName(skill.trim());
  if (name === undefined) throw unreadable(text, 'has a % in the name of its skill that begins no character');
  return hex === undefined ? { tool, skill: name } : { tool, skill: name, digest: hex };
}

function readDigits(written: string, entry: string): string {
  const hex = written.trim().toLowerCase();
  if (/^[0-9a-f]+$/u.test(hex) && hex.length >= leastDigits && hex.length <= 64) return hex;
  throw unreadable(entry, `has behind @ no ${leastDigits} to 64 hexadecimal digits of a digest`);
}

function unreadable(entry: string, why: string): SkillsError {
  return new SkillsError('USAGE', `--approve names ${quoted(entry)}, which ${why}.`, {
    hint: 'It is never, ask, or a list: run_script, run_script(pdf), run_script(pdf@1a2b3c4d5e6f), write_file(@1a2b3c4d5e6f). In the name of a skill, any other character than a letter or a digit may be written as %28.',
    data: { value: entry },
  });
}

/** The name of a skill as an entry has it: with what a list, a person or a shell would take for something else as `%28`. */
function writtenName(name: string): string {
  return Array.from(name.toWellFormed(), (character) =>
    /^[\p{L}\p{N}._/-]$/u.test(character) && visibleText(character) === character
      ? character
      : [...new TextEncoder().encode(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  ).join('');
}

function readName(written: string): string | undefined {
  try {
    return decodeURIComponent(written);
  } catch {
    return undefined;
  }
}
