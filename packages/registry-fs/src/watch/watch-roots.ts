import { resolve } from 'node:path';
import type { ScanOptions } from '../scan-options.js';
import type { SkillRoot } from '../scan-report.js';
import { walkLimits } from '../walk-limits.js';
import { FolderWatches } from './folder-watches.js';
import { isRemoteFolder } from './is-remote-folder.js';
import { surveyRoots, type RootsSurvey } from './survey-roots.js';
import type { WatchOptions } from './watch-options.js';
import type { WatchPorts } from './watch-ports.js';

/** What is watched, and who is told. */
export interface WatchedRoots {
  readonly roots: readonly SkillRoot[];
  /** Called after a change of which a scan may find something. */
  readonly changed: () => void;
}

/** How roots are watched: as they are scanned. */
export interface WatchRootsOptions extends Omit<ScanOptions, 'signal'> {
  readonly watch?: WatchOptions | undefined;
}

/** Watches roots until disposed; what changes after it began is told of. Roots that are not there yet are waited for. */
export async function watchRoots(
  watched: WatchedRoots,
  ports: WatchPorts,
  options: WatchRootsOptions,
): Promise<AsyncDisposable> {
  const watch = new RootsWatch(watched, ports, options);
  await watch.begin();
  return watch;
}

// While folders are made, each look finds new ones to watch, in which something may have happened before.
const looksInARow = 5;
// In multiples of what a look takes: the time between two looks at large roots.
const pause = 20;
const patience = 10;

class RootsWatch implements AsyncDisposable {
  readonly #roots: readonly string[];
  readonly #changed: () => void;
  readonly #ports: WatchPorts;
  readonly #options: WatchRootsOptions;
  readonly #watches: FolderWatches;
  readonly #after: NonNullable<WatchPorts['after']>;
  #polling: boolean;
  #known = '';
  #working: Promise<void> = Promise.resolve();
  #ended = false;
  #cancelQuiet: (() => void) | undefined;
  #cancelLook: (() => void) | undefined;
  /** When the first change was heard of that nobody was told of yet. */
  #heardAt: number | undefined;

  constructor({ roots, changed }: WatchedRoots, ports: WatchPorts, options: WatchRootsOptions) {
    this.#roots = [...new Set(roots.map(({ path }) => resolve(path)))];
    this.#changed = changed;
    this.#ports = ports;
    this.#options = options;
    this.#after = ports.after ?? afterUnheld;
    this.#polling = options.watch?.mode === 'poll' || this.#roots.some(isRemoteFolder);
    this.#watches = new FolderWatches({
      heard: () => this.#hear(),
      exhausted: () => {
        this.#polling = true;
      },
    });
  }

  async begin(): Promise<void> {
    this.#known = digestOf(await this.#look());
    this.#plan(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    this.#cancelQuiet?.();
    this.#cancelLook?.();
    this.#watches.close();
    await this.#working;
  }

  #hear(): void {
    if (this.#ended) return;
    const { debounce = 200 } = this.#options.watch ?? {};
    const now = this.#ports.now();
    this.#heardAt ??= now;
    this.#cancelQuiet?.();
    const left = this.#heardAt + patience * debounce - now;
    this.#cancelQuiet = this.#after(Math.max(0, Math.min(debounce, left)), () => this.#check());
  }

  /** One check after the other. */
  #check(): void {
    this.#cancelQuiet?.();
    this.#cancelLook?.();
    this.#heardAt = undefined;
    // A look that fails is made again later.
    this.#working = this.#working.then(() => this.#compare()).catch(() => this.#plan(0));
  }

  async #compare(): Promise<void> {
    if (this.#ended) return;
    const begun = this.#ports.now();
    const found = digestOf(await this.#look());
    if (this.#isEnded()) return;
    this.#plan(this.#ports.now() - begun);
    if (found === this.#known) return;
    this.#known = found;
    this.#tell();
  }

  #tell(): void {
    try {
      this.#changed();
    } catch {
      // What whoever listens does wrong ends neither the watch nor the process.
    }
  }

  // What holds before an await need not hold after it.
  #isEnded(): boolean {
    return this.#ended;
  }

  /** What there is once everything is watched in which more may appear. */
  async #look(): Promise<RootsSurvey> {
    const { maxWatches = 8192 } = this.#options.watch ?? {};
    const limits = walkLimits(this.#options);
    const time = this.#ports.time ?? Date.now;
    for (let look = 1; ; look += 1) {
      const survey = await surveyRoots(this.#roots, { limits, time });
      if (survey.folders.size > maxWatches) this.#polling = true;
      if (this.#polling) this.#watches.close();
      if (this.#polling || this.#isEnded() || !this.#watches.set(survey.folders)) return survey;
      if (look === looksInARow) {
        this.#hear();
        return survey;
      }
    }
  }

  #plan(duration: number): void {
    if (this.#isEnded()) return;
    const { pollInterval = 1000, checkInterval = 30_000 } = this.#options.watch ?? {};
    const interval = this.#polling ? pollInterval : checkInterval;
    this.#cancelLook = this.#after(Math.max(interval, pause * duration), () => this.#check());
  }
}

function digestOf({ lines }: RootsSurvey): string {
  // Loading it takes a while, and only who watches needs it.
  return process.getBuiltinModule('node:crypto').hash('sha256', lines.join('\n'), 'hex');
}

function afterUnheld(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds).unref();
  return () => clearTimeout(timer);
}
