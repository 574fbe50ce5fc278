import { realpathSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { SkillsError, type SkillDiagnostic } from '@skillpack/core/listing';
import { entryPath } from './entry-path.js';
import { errnoOf } from './errno.js';
import { isReadAsUsual } from './kept-head.js';
import { HeadReader, type ReadHead } from './read-head.js';
import { readOwners, type OwningPack } from './read-owners.js';
import { ScanCache, type ScanCachePort } from './scan-cache.js';
import type { ScanOptions } from './scan-options.js';
import type { FoundSkill, IgnoredFolder, ScannedRoot, SkillRoot } from './scan-report.js';
import { RootWalk, type IgnoredStep, type SkillStep, type WalkLimits } from './walk-root.js';
import { walkLimits } from './walk-limits.js';

const stepsPerTurn = 64;

/** One root while it is scanned. */
export class RootScan {
  readonly root: SkillRoot;
  readonly skills: FoundSkill[] = [];
  readonly ignored: IgnoredFolder[] = [];
  duration = 0;
  readonly #options: ScanOptions;
  readonly #cachePort: ScanCachePort | undefined;
  readonly #limits: WalkLimits;
  #state: ScannedRoot['state'] = 'read';
  #folders = 0;

  constructor(root: SkillRoot, cache: ScanCachePort | undefined, options: ScanOptions) {
    if (!isAbsolute(root.path)) {
      throw new SkillsError('USAGE', `The root ${root.path} is not an absolute path.`, {
        hint: 'Resolve it against the folder it is relative to.',
        data: { path: root.path },
      });
    }
    this.root = { ...root, path: resolve(root.path) };
    this.#cachePort = cache;
    this.#options = options;
    this.#limits = walkLimits(options);
  }

  async run(): Promise<void> {
    this.#checkSignal();
    this.#state = stateOf(this.root.path);
    if (this.#state !== 'read') return;
    const parse = this.#options.parse ?? {};
    const { path } = this.root;
    // Whoever reads otherwise remembers apart.
    const key = isReadAsUsual(parse) ? path : JSON.stringify([path, parse]);
    const cache = this.#cachePort === undefined ? undefined : new ScanCache(this.#cachePort, key);
    const owners = await readOwners(path, cache);
    const reader = new HeadReader(parse, cache);
    const walk = new RootWalk(path, this.#limits, (folder) => reader.recall(folder));
    let steps = 0;
    for (const step of walk.steps()) {
      if (step.kind === 'ignored') this.#ignore(step, []);
      else if (step.kind === 'skill') {
        let read = step.known ?? reader.read(step);
        if (read.kind === 'declined') {
          await reader.loadLibrary();
          read = reader.recall(step.folder) ?? reader.read(step);
        }
        this.#take(step, read, owners);
      }
      steps += 1;
      if (steps % stepsPerTurn === 0) await this.#letOthersRun();
    }
    this.#folders = walk.folders;
    cache?.save();
  }

  report(): ScannedRoot {
    return {
      ...this.root,
      state: this.#state,
      folders: this.#folders,
      skills: this.skills.length,
      duration: this.duration,
    };
  }

  #take(
    { folder: { path, realPath, place }, fileName }: SkillStep<ReadHead>,
    read: ReadHead,
    owners: ReadonlyMap<string, OwningPack>,
  ): void {
    if (read.kind === 'declined') return;
    if (read.kind === 'ignored') {
      this.#ignore({ path, ...read }, []);
      return;
    }
    if (read.parse.kind === 'refused') {
      const error = read.parse.diagnostics.find(({ severity }) => severity === 'error');
      const message = `Its ${fileName} was refused: ${error?.message ?? 'it is not valid.'}`;
      this.#ignore({ path, reason: 'invalid-skill', message }, read.parse.diagnostics);
      return;
    }
    const { skill, diagnostics } = read.parse;
    const pack = owners.get(place);
    this.skills.push({
      // Packs are kept apart by the folders they install: under its own name, one could stand in for another's skill.
      name: pack === undefined ? skill.name : place,
      scope: this.root.scope,
      root: this.root.path,
      path,
      realPath,
      file: entryPath(path, fileName),
      pack: pack?.name,
      packVersion: pack?.version,
      head: skill,
      diagnostics: pack === undefined ? diagnostics : diagnostics.map((found) => asInstalled(found, place)),
    });
  }

  #ignore({ path, reason, message }: Omit<IgnoredStep, 'kind'>, diagnostics: IgnoredFolder['diagnostics']): void {
    this.ignored.push({ path, scope: this.root.scope, reason, message, diagnostics });
  }

  async #letOthersRun(): Promise<void> {
    await new Promise((resume) => {
      setImmediate(resume);
    });
    this.#checkSignal();
  }

  #checkSignal(): void {
    if (this.#options.signal?.aborted !== true) return;
    throw new SkillsError('INTERRUPTED', 'The scan for skills was cancelled.', { cause: this.#options.signal.reason });
  }
}

/** Of a skill that a pack installed, it is not its own name that counts. */
function asInstalled(found: SkillDiagnostic, name: string): SkillDiagnostic {
  return found.code === 'name-not-folder' ? { ...found, fix: `It was installed as ${name}, which counts.` } : found;
}

function stateOf(path: string): ScannedRoot['state'] {
  try {
    return statSync(realpathSync(path)).isDirectory() ? 'read' : 'not-a-folder';
  } catch (error) {
    const code = errnoOf(error);
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
  }
}
