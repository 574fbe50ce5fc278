import { quoted } from '../errors/quoted.js';
import { DiagnosticLog } from './diagnostic-log.js';
import { findFileReferences } from './file-references.js';
import { parseSkill } from './parse-skill.js';
import type { ParseSkillOptions } from './parse-skill-options.js';
import type { SkillParse } from './skill-parse.js';
import type { Skill } from './skill.js';
import { suggestSkillName } from './skill-name.js';
import { findPlaceholders } from './skill-template.js';

/** A file of a skill's folder. */
export interface LintedFile {
  /** Relative to the folder, slash-separated. */
  readonly path: string;
  /** Its first line, for scripts; `undefined` where it was not read. */
  readonly firstLine?: string | undefined;
  /** Whether it may be run; `undefined` where the system does not tell, as Windows. */
  readonly executable?: boolean | undefined;
  /** Whether it is a link instead of a file. @default false */
  readonly link?: boolean | undefined;
}

/** What a pack may hold, as whoever packs judges it: `isPackNamePart`, `judgePath` with `pathProblems`, and `findPathConflict` of this package. */
export interface PackingRules {
  /** Whether a skill of this name can be packed. */
  isName(name: string): boolean;
  /** Why a path cannot be packed, as the end of a sentence about it (“is too long”), or `undefined`. */
  problemOf(path: string): string | undefined;
  /** Two paths that cannot stand side by side, or `undefined`. */
  conflictIn(
    paths: readonly string[],
  ): { readonly path: string; readonly other: string; readonly kind: string } | undefined;
}

/** How a skill is checked. */
export interface LintSkillOptions extends ParseSkillOptions {
  /** Without them, whether the skill can be packed is not looked at. */
  readonly packing?: PackingRules | undefined;
}

const shortest = 20;
const trigger =
  /\b(?:when|whenever|if|use (?:this|it|for|to|after|before)|used (?:for|to|by|in|when)|trigger(?:s|ed)?|asks?|for (?:any|all))\b/iu;
const script = /\.(?:sh|bash|zsh|py|rb|pl)$/u;

/**
 * Checks a skill as its author wants it checked: everything {@link parseSkill} finds, and advice about how it is written:
 * whether the description says when to use it, whether the files it points to are there, whether its scripts say what
 * runs them, whether it can be packed. Advice never refuses a skill.
 *
 * @param source the text or the bytes of SKILL.md.
 * @param files every other file of the folder.
 */
export function lintSkill(
  source: string | Uint8Array,
  files: readonly LintedFile[],
  options: LintSkillOptions = {},
): SkillParse {
  const parse = parseSkill(source, options);
  if (parse.kind === 'refused') return parse;
  const log = new DiagnosticLog(options.profile ?? 'lenient');
  adviseDescription(parse.skill, log);
  adviseReferences(parse.skill, files, log);
  advisePlaceholders(parse.skill, log);
  if (options.packing !== undefined) advisePacking({ ...options, name: parse.skill.name, files }, options.packing, log);
  adviseScripts(files, log);
  return { ...parse, diagnostics: [...parse.diagnostics, ...log.diagnostics].toSorted((a, b) => a.line - b.line) };
}

function adviseScripts(files: readonly LintedFile[], log: DiagnosticLog): void {
  for (const { path, firstLine, executable } of files) {
    if (firstLine?.startsWith('#!') === true) {
      if (executable !== false) continue;
      log.report('script-not-executable', {
        at: { line: 1 },
        message: `${path} begins with #!, but is not executable, and is installed as it is.`,
        fix: 'Make it executable (chmod +x), or let SKILL.md say which program runs it.',
      });
    } else if (firstLine !== undefined && script.test(path)) {
      log.report('script-no-shebang', {
        at: { line: 1 },
        message: `${path} does not begin with #!.`,
        fix: 'Let it begin with #!/usr/bin/env and the program that runs it.',
      });
    }
  }
}

function adviseDescription({ description }: Skill, log: DiagnosticLog): void {
  if (description === undefined) return;
  if (description.length < shortest) {
    log.report('description-short', {
      at: { line: 1 },
      message: `The description is ${quoted(description)}.`,
      fix: 'Say what the skill does, when to use it, and with which words people ask for it.',
    });
    return;
  }
  // The words looked for are English; text in another script cannot be judged by them.
  if (/(?!\p{Script=Latin})\p{L}/u.test(description) || trigger.test(description)) return;
  log.report('description-no-trigger', {
    at: { line: 1 },
    message: 'The description does not say when to use the skill.',
    fix: 'Add a sentence such as “Use when …”.',
  });
}

function adviseReferences(skill: Skill, files: readonly LintedFile[], log: DiagnosticLog): void {
  const there = new Set(['SKILL.md', ...files.flatMap(({ path }) => withFolders(path))]);
  for (const { path, kind, line } of findFileReferences(skill.body)) {
    const at = { line: skill.bodyLine + line - 1 };
    if (path.split('/').includes('..')) {
      log.report('link-outside', {
        at,
        message: `${quoted(path)} leads out of the skill's folder.`,
        fix: 'Put the file into the folder, and name it relative to SKILL.md.',
      });
      continue;
    }
    if (there.has(path.replace(/\/+$/u, ''))) continue;
    // A path in prose may be one of the user's project; it is this skill's where the skill has such a folder.
    if (kind === 'mention' && !there.has(path.slice(0, path.indexOf('/')))) continue;
    log.report('link-missing', {
      at,
      message: `There is no file ${quoted(path)} in the skill.`,
      fix: 'Add the file, or correct the path: it is relative to SKILL.md.',
    });
  }
}

function advisePlaceholders(skill: Skill, log: DiagnosticLog): void {
  for (const part of findPlaceholders(skill)) {
    log.report('placeholder-text', {
      at: { line: part === 'body' ? skill.bodyLine : 1 },
      message: `The ${part} is still the one that every new skill begins with.`,
      fix: part === 'body' ? 'Write what an agent has to do.' : 'Say what the skill does, and when to use it.',
    });
  }
}

interface PackedFolder {
  readonly name: string;
  readonly folder?: string | undefined;
  readonly files: readonly LintedFile[];
}

/** What packing would refuse. */
function advisePacking({ name, folder, files }: PackedFolder, rules: PackingRules, log: DiagnosticLog): void {
  const at = { line: 1 };
  const leaveOut = 'or leave it out with a line in .skillpackignore.';
  if (folder !== undefined && !rules.isName(name) && !rules.isName(folder)) {
    const message = `Neither ${quoted(name)} nor the folder ${quoted(folder)} can be a skill’s name in a pack.`;
    const suggestion = suggestSkillName(name) ?? suggestSkillName(folder) ?? 'my-skill';
    log.report('name-unpackable', { at, message, fix: `Write name: ${suggestion}.` });
  }
  for (const { path, link } of files) {
    const problem = rules.problemOf(path);
    if (link === true) {
      const message = `${quoted(path)} is a link; a pack holds none.`;
      log.report('link-inside', { at, message, fix: `Put a copy of the file in its place, ${leaveOut}` });
    } else if (problem !== undefined) {
      const message = `${quoted(path)} cannot be packed: it ${problem}.`;
      log.report('path-unfit', { at, message, fix: `Rename it, ${leaveOut}` });
    }
  }
  const conflict = rules.conflictIn(['SKILL.md', ...files.map(({ path }) => path)]);
  if (conflict === undefined) return;
  const both = `${quoted(conflict.other)} and ${quoted(conflict.path)}`;
  const message = `${both} cannot stand side by side on every system (${conflict.kind}).`;
  log.report('path-conflict', { at, message, fix: `Rename one of them, ${leaveOut}` });
}

/** A path and every folder above it. */
function withFolders(path: string): readonly string[] {
  const components = path.split('/');
  return components.map((_, index) => components.slice(0, index + 1).join('/'));
}
