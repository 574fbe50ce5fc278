import { readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, dirname } from 'node:path';
import { isPackNamePart } from '@skillpack/core/listing';
import { entryPath } from '../entry-path.js';
import { errnoOf } from '../errno.js';
import { lstatOrNothing } from '../lstat-or-nothing.js';
import { RootWalk, type WalkedFolder, type WalkLimits, type WalkStep } from '../walk-root.js';

/** Which entries of a folder matter: all, whatever may be its SKILL.md, or those of these names. */
export type WatchedNames = 'all' | 'skill-file' | ReadonlySet<string>;

/** What roots look like at one moment. */
export interface RootsSurvey {
  /** Two surveys of the same roots have the same lines when a scan finds the same. */
  readonly lines: readonly string[];
  /** The folders whose entries a change of that shows in, by path. */
  readonly folders: ReadonlyMap<string, WatchedNames>;
}

/** What a survey is held to. */
export interface SurveyOptions {
  readonly limits: WalkLimits;
  /** Milliseconds since 1970. */
  readonly time: () => number;
}

const stepsPerTurn = 64;
// Up to the folder of a project or a person, in which `.agents/skills` may appear.
const ancestors = 4;
// Two writes within one tick of a file system's clock leave the same times; the coarsest one, of FAT, ticks every 2 s.
const longestTick = 2000;
let surveys = 0;

/** Looks at the SKILL.md files and receipts of some roots without reading any. */
export async function surveyRoots(roots: readonly string[], options: SurveyOptions): Promise<RootsSurvey> {
  const survey = new Survey(options);
  for (const root of roots) await survey.add(root);
  return survey;
}

class Survey implements RootsSurvey {
  readonly lines: string[] = [];
  readonly folders = new Map<string, WatchedNames>();
  readonly #limits: WalkLimits;
  readonly #now: number;

  constructor({ limits, time }: SurveyOptions) {
    this.#limits = limits;
    this.#now = time();
    surveys += 1;
  }

  async add(root: string): Promise<void> {
    this.#watchAncestors(root);
    this.lines.push(root);
    const real = realFolder(root);
    if (real === undefined) return;
    const walk = new RootWalk<Stats>(root, this.#limits, skillFileIn);
    let steps = 0;
    try {
      for (const step of walk.steps()) {
        this.#note(step);
        steps += 1;
        if (steps % stepsPerTurn === 0) await letOthersRun();
      }
    } catch (error) {
      // The root went away meanwhile.
      this.lines.push(errnoOf(error));
    }
    const entered = new Set(walk.entered);
    for (const folder of entered) {
      this.#watch(folder, 'all');
      // Of a folder that a link leads to, and of the root, nobody else notices that another one takes its place.
      if (!entered.has(dirname(folder))) this.#watch(dirname(folder), new Set([basename(folder)]));
    }
    this.#addReceipts(real);
  }

  #note(step: WalkStep<Stats>): void {
    if (step.kind === 'folder') return;
    if (step.kind === 'ignored') {
      this.lines.push(`${step.path} ${step.reason}`);
      return;
    }
    const { folder, fileName, known } = step;
    const stat = known ?? statOrNothing(entryPath(folder.path, fileName));
    this.#noteFile(`${folder.path} ${fileName}`, stat);
    // A SKILL.md that is a link changes with another file of the folder.
    if (known !== undefined) this.#watch(folder.realPath, 'skill-file');
  }

  #noteFile(place: string, stat: Stats | undefined): void {
    if (stat === undefined) return;
    const { dev, ino, size, mtimeMs, ctimeMs } = stat;
    // What was written a moment ago may be written again without looking otherwise: the next survey differs anyway.
    const fresh = Math.abs(this.#now - ctimeMs) < longestTick ? ` ${surveys}` : '';
    this.lines.push(`${place} ${dev} ${ino} ${size} ${mtimeMs} ${ctimeMs}${fresh}`);
  }

  #watchAncestors(root: string): void {
    let seen = 0;
    for (let path = root; seen < ancestors && dirname(path) !== path; path = dirname(path)) {
      if (realFolder(dirname(path)) === undefined) continue;
      seen += 1;
      this.#watch(dirname(path), new Set([basename(path)]));
    }
  }

  #addReceipts(root: string): void {
    const base = entryPath(root, '.skillpack');
    for (const organisation of this.#namesIn(base)) {
      const packs = entryPath(base, organisation);
      for (const name of this.#namesIn(packs)) {
        const folder = entryPath(packs, name);
        this.#watch(folder, new Set(['receipt.json']));
        this.#noteFile(folder, lstatOrNothing(entryPath(folder, 'receipt.json')));
      }
    }
  }

  #namesIn(folder: string): readonly string[] {
    try {
      const names = readdirSync(folder).filter(isPackNamePart).toSorted();
      this.#watch(folder, 'all');
      return names;
    } catch (error) {
      errnoOf(error);
      return [];
    }
  }

  #watch(folder: string, names: WatchedNames): void {
    const others = this.folders.get(folder);
    // The first that is said of a whole folder is the most exact.
    if (others === undefined || (typeof others === 'object' && typeof names === 'string'))
      this.folders.set(folder, names);
    else if (typeof others === 'object' && typeof names === 'object') {
      this.folders.set(folder, new Set([...others, ...names]));
    }
  }
}

/** What is known of a folder with a proper SKILL.md: it need not be listed. */
function skillFileIn({ path }: WalkedFolder): Stats | undefined {
  const stat = lstatOrNothing(entryPath(path, 'SKILL.md'));
  return stat?.isFile() === true ? stat : undefined;
}

function statOrNothing(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    errnoOf(error);
    return undefined;
  }
}

function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : undefined;
  } catch (error) {
    errnoOf(error);
    return undefined;
  }
}

async function letOthersRun(): Promise<void> {
  await new Promise((resume) => {
    setImmediate(resume);
  });
}
