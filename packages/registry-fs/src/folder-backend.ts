import { basename } from 'node:path';
import type {
  IndexProblem,
  IndexProblemCode,
  ReadBytesOptions,
  RegistryOptions,
  ShadowedSkill,
  SkillBackend,
  SkillEntry,
  SkillFile,
  SkillListing,
} from '@skillpack/core';
import { quoted, SkillsError, visibleText } from '@skillpack/core/listing';
import { listConfinedFiles } from './confined/list-confined-files.js';
import { readConfinedFile } from './confined/read-confined-file.js';
import type { FolderSkillsOptions } from './folder-skills-options.js';
import type { FoundSkill, IgnoredFolder, ScannedRoot, ScanReport, SkillRoot } from './scan-report.js';
import { scanSkillRoots, type ScanPorts } from './scan-skill-roots.js';

/** The roots of a backend at one moment. */
export interface CurrentRoots {
  readonly roots: readonly SkillRoot[];
  /** What no link leads out of. */
  readonly within?: string | undefined;
  /** Why there are not more. */
  readonly problems?: readonly IndexProblem[] | undefined;
}

const skillFile = 'SKILL.md';

/** Roots on a disk as a backend, wherever the list of them comes from. */
export class FolderBackend implements SkillBackend {
  readonly kind: string;
  readonly loadInstructions: string | undefined;
  readonly promptTemplate: string | undefined;
  readonly #roots: () => CurrentRoots | Promise<CurrentRoots>;
  readonly #ports: ScanPorts;
  readonly #options: FolderSkillsOptions;
  #found: ReadonlyMap<string, FoundSkill> | undefined;

  constructor(
    { kind, roots }: { readonly kind: string; readonly roots: () => CurrentRoots | Promise<CurrentRoots> },
    ports: ScanPorts,
    options: FolderSkillsOptions,
  ) {
    this.kind = kind;
    this.loadInstructions = options.loadInstructions;
    this.promptTemplate = options.promptTemplate;
    this.#roots = roots;
    this.#ports = ports;
    this.#options = options;
  }

  /** Whether anybody may know a list of it. */
  get listed(): boolean {
    return this.#found !== undefined;
  }

  async list({ signal }: RegistryOptions): Promise<SkillListing> {
    const { roots, within, problems = [] } = await this.#roots();
    const report = await scanSkillRoots(roots, this.#ports, { ...this.#options, within, signal });
    // A folder that lies below two roots is one skill, even where only one of them knows the pack that brought it.
    const offered = new Map(report.skills.toReversed().map((skill) => [skill.path, skill]));
    this.#found = new Map([...report.found.map((skill) => [skill.path, skill] as const), ...offered]);
    return {
      skills: report.skills.filter((skill) => offered.get(skill.path) === skill).map(entryOf),
      shadowed: shadowedIn(report).filter(({ entry }) => !offered.has(entry.location)),
      problems: [...problems, ...report.roots.flatMap(problemOfRoot), ...report.ignored.map(problemOfFolder)],
    };
  }

  async files(skill: SkillEntry, { signal }: RegistryOptions): Promise<readonly SkillFile[]> {
    const { realPath, file } = this.#foundSkill(skill, '.');
    const { maxFiles = 5000, maxFileDepth = 16 } = this.#options;
    const own = basename(file);
    const listed = await listConfinedFiles(realPath, { maxFiles, maxDepth: maxFileDepth, first: own, signal });
    return own === skillFile ? listed : listed.map((one) => (one.path === own ? { ...one, path: skillFile } : one));
  }

  async bytes(skill: SkillEntry, path: string, { maxBytes, signal }: ReadBytesOptions): Promise<Uint8Array> {
    const { realPath, file } = this.#foundSkill(skill, path);
    // Some are called skill.md, which only some systems take for the same.
    return readConfinedFile(realPath, path === skillFile ? basename(file) : path, { maxBytes, signal });
  }

  #foundSkill({ name, location }: SkillEntry, path: string): FoundSkill {
    const found = this.#found?.get(location);
    if (found !== undefined) return found;
    throw new SkillsError('FILE_NOT_FOUND', `The skill ${quoted(name)} is not at ${location}.`, {
      hint: 'Reload the skills.',
      data: { location, path },
    });
  }
}

function entryOf({ name, scope, path, pack, packVersion, head, diagnostics }: FoundSkill): SkillEntry {
  return { name, scope, location: path, pack, packVersion, digest: undefined, head, diagnostics };
}

function shadowedIn({ conflicts }: ScanReport): readonly ShadowedSkill[] {
  return conflicts.flatMap(({ winner, shadowed }) =>
    shadowed.map((skill) => ({ entry: entryOf(skill), by: winner.path })),
  );
}

function problemOfRoot({ path, state, named }: ScannedRoot): readonly IndexProblem[] {
  const problem = (code: IndexProblemCode, message: string): readonly IndexProblem[] => [
    { code, location: path, message },
  ];
  switch (state) {
    case 'read':
      return [];
    case 'missing':
      return named === true ? problem('missing', 'There is no such folder of skills.') : [];
    case 'not-a-folder':
      return problem('unreadable', 'It is no folder, so there are no skills in it.');
    case 'unreadable':
      return problem('unreadable', 'The system does not let you read this folder of skills.');
  }
}

const refusals: ReadonlySet<IgnoredFolder['reason']> = new Set(['invalid-skill', 'not-a-file', 'too-large']);

function problemOfFolder({ path, reason, message }: IgnoredFolder): IndexProblem {
  const code = reason === 'unreadable' ? 'unreadable' : refusals.has(reason) ? 'refused' : 'ignored';
  return { code, location: path, message: visibleText(message) };
}
