import { stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import {
  parseReceipt,
  quoted,
  readSkill,
  selectSkill,
  SkillsError,
  visibleText,
  type Digest,
  type InstallReceipt,
  type SkillDiagnostic,
  type SkillScope,
} from '@skillpack/core';
import type { FoundSkill, ScanReport } from '@skillpack/registry-fs';
import { lintSkillFolder } from '../author/lint-skill-folder.js';
import { readSkillFolder } from '../author/read-skill-folder.js';
import { entriesBelow } from '../files/entries-below.js';
import { errnoOf } from '../files/errno-of.js';
import { readSkillFile } from '../files/read-skill-file.js';
import { shellLine } from '../agent/approving-command.js';
import { readTextIfPresent } from '../files/read-text-if-present.js';
import { approvedDigest } from './approved-digest.js';
import { writtenBody, writtenDescription } from './written-text.js';

/** A file of a skill. */
export interface InspectedFile {
  /** Relative to the skill, slash-separated. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
}

/** How a pack came here, by its receipt. */
export interface Installed {
  /** Of the pack. */
  readonly version: string;
  /** `registry`, `url`, `file` or `folder`, and its address. */
  readonly source: InstallReceipt['source'];
  readonly treeDigest: Digest;
  /** RFC 3339, UTC. */
  readonly installedAt: string;
}

/** One skill in detail. */
export interface InspectedSkill {
  readonly kind: 'skill';
  readonly name: string;
  /** As its file has it, with what a model is not shown of it. */
  readonly description: string | null;
  readonly scope: SkillScope;
  readonly pack: string | null;
  /** What the receipt of the pack says; `null` where no pack brought the skill. */
  readonly installed: Installed | null;
  readonly path: string;
  /** Of its folder, as `--approve` takes it: `run_script(pdf@…)`. `null` where it cannot be measured. */
  readonly digest: Digest | null;
  readonly license: string | null;
  readonly compatibility: string | null;
  readonly version: string | null;
  readonly author: string | null;
  readonly allowedTools: readonly string[] | null;
  readonly modelInvocable: boolean;
  readonly userInvocable: boolean;
  readonly runMode: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly files: readonly InspectedFile[];
  /** Other skills of this name. */
  readonly others: readonly { readonly scope: SkillScope; readonly path: string }[];
  /** What `skills lint` says of it. */
  readonly diagnostics: readonly SkillDiagnostic[];
  /** Lines of its text. */
  readonly bodyLines: number;
  /** Its text, as its file has it; only when it was asked for. */
  readonly body?: string;
}

/** What is told of a skill. */
export interface InspectSkillOptions {
  readonly signal: AbortSignal;
  /** Whether its text is told too. */
  readonly body: boolean;
}

/** The skill that a reference means (`pdf`, or `org/pdf` for that of one organisation), or `undefined`. */
export function findSkill(scan: ScanReport, reference: string, source: SkillScope | undefined): FoundSkill | undefined {
  const sources = scan.roots.map(({ path, scope }) => ({
    scope,
    skills: scan.found.filter(({ root }) => root === path),
  }));
  return selectSkill(sources, reference, { source });
}

/** One skill in detail, read anew from its folder. */
export async function inspectSkill(
  found: FoundSkill,
  scan: ScanReport,
  { body, signal }: InspectSkillOptions,
): Promise<InspectedSkill> {
  const source = readSkillFile(found.file);
  const skill = readSkill(source, { folder: found.path.split(sep).at(-1) });
  const text = writtenBody(skill, source).replace(/^\n+/u, '').trimEnd();
  return {
    kind: 'skill',
    name: found.name,
    description: writtenDescription(skill) ?? null,
    scope: found.scope,
    pack: found.pack ?? null,
    installed: found.pack === undefined ? null : readInstalled(found.root, found.pack),
    path: found.path,
    digest: await approvedDigest(found, signal),
    license: skill.license ?? null,
    compatibility: skill.compatibility ?? null,
    version: skill.version ?? null,
    author: skill.author ?? null,
    allowedTools: skill.allowedTools ?? null,
    modelInvocable: skill.modelInvocable,
    userInvocable: skill.userInvocable,
    runMode: skill.runMode,
    metadata: skill.metadata,
    files: await filesOf(found.path),
    others: scan.found
      .filter(({ name, path }) => name === found.name && path !== found.path)
      .map(({ scope, path }) => ({ scope, path })),
    diagnostics: await diagnosticsOf(found),
    bodyLines: text === '' ? 0 : text.split('\n').length,
    ...(body ? { body: text } : {}),
  };
}

/** With what is said of the files beside it, where these can be read. */
async function diagnosticsOf({ path, diagnostics }: FoundSkill): Promise<readonly SkillDiagnostic[]> {
  try {
    const rules = { profile: 'lenient', noAngleBrackets: false } as const;
    return lintSkillFolder(await readSkillFolder(path), rules).diagnostics;
  } catch (error) {
    if (SkillsError.is(error, 'INVALID_SKILL') || ['EACCES', 'EPERM'].includes(errnoOf(error))) return diagnostics;
    throw error;
  }
}

// A receipt without which the skill has no pack was read a moment ago: it is gone only if somebody uninstalls just now.
function readInstalled(root: string, pack: string): Installed | null {
  const path = join(root, '.skillpack', ...pack.split('/'), 'receipt.json');
  const text = readTextIfPresent(path);
  if (text === undefined) return null;
  const { version, source, treeDigest, installedAt } = parseReceipt(text, path);
  return { version, source, treeDigest, installedAt };
}

async function filesOf(folder: string): Promise<readonly InspectedFile[]> {
  const entries = (await entriesBelow(folder)).filter(({ kind }) => kind === 'file');
  const files = await Promise.all(entries.map(async ({ path, place }) => ({ path, size: (await stat(place)).size })));
  return files.toSorted((left, right) => (left.path < right.path ? -1 : 1));
}

/** The error for a name that no skill here has. */
export function noSuchSkill(name: string, scan: ScanReport): SkillsError {
  const refused = scan.ignored.find(({ path, reason }) => reason === 'invalid-skill' && basename(path) === name);
  if (refused !== undefined) {
    const message = `The skill ${quoted(name)} at ${refused.path} is not offered. ${visibleText(refused.message)}`;
    return new SkillsError('SKILL_NOT_FOUND', message, {
      hint: `Correct it; \`${shellLine(['skills', 'lint', refused.path])}\` says all that is wrong with it.`,
      data: { name, path: refused.path },
    });
  }
  const names = scan.skills.map((skill) => skill.name);
  return new SkillsError('SKILL_NOT_FOUND', `No skill here is called “${name}”.`, {
    hint:
      names.length === 0
        ? 'There are no skills yet. A pack of a registry is written org/name.'
        : `Here are ${names.slice(0, 20).join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}. A pack of a registry is written org/name.`,
    data: { name, available: names },
  });
}
