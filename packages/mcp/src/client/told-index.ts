import {
  quoted,
  SkillsError,
  type Clock,
  type IndexProblem,
  type Sha256,
  type SkillEntry,
  type SkillListing,
  type SkillScope,
} from '@skillpack/core';
import type { AskedServer } from './ask-server.js';
import { listTold } from './list-told.js';
import { takeTold } from './take-told.js';
import type { ToldSkill } from './told-skill.js';
import { withoutTools } from './with-granted-tools.js';

/** What the skills of a server are listed with. */
export interface ToldIndexParts {
  readonly server: AskedServer;
  readonly clock: Clock;
  readonly sha256: Sha256;
}

/** How they are listed. */
export interface ToldIndexOptions {
  readonly scope: SkillScope;
  readonly addresses: readonly string[];
  readonly mostSkills: number;
  /** Whether the allowed tools of a skill count. */
  readonly grant: (skill: SkillEntry) => boolean;
}

const longestFreshness = 300_000;
const mostProblems = 100;

/** What a server told of its skills last. */
export class ToldIndex {
  readonly #parts: ToldIndexParts;
  readonly #options: ToldIndexOptions;
  /** By location. */
  #skills: ReadonlyMap<string, ToldSkill> = new Map();
  /** Locations. */
  #granted: ReadonlySet<string> = new Set();
  #kept: { readonly listing: SkillListing; readonly until: number } | undefined;
  // Numbers of questions.
  #asked = 0;
  #taken = 0;
  #doubted = 0;

  constructor(parts: ToldIndexParts, options: ToldIndexOptions) {
    this.#parts = parts;
    this.#options = options;
  }

  /** Lists anew, unless what was told last still holds. */
  async list(signal: AbortSignal | undefined): Promise<SkillListing> {
    const { server, clock, sha256 } = this.#parts;
    const { origin } = server;
    if (this.#kept !== undefined && clock.now() < this.#kept.until) return this.#kept.listing;
    const question = (this.#asked += 1);
    const { scope, addresses, mostSkills, grant } = this.#options;
    const answer = await listTold(server, { clock }, { mostSkills, addresses, signal });
    const { skills, problems } = takeTold(answer.entries, { origin, scope, sha256 });
    const entries = [...skills.values()].map(({ entry }) => entry);
    const granted = new Set(entries.filter(grant));
    const listing = {
      skills: entries.map((entry) => (granted.has(entry) ? entry : { ...entry, head: withoutTools(entry.head) })),
      problems: bounded([...answer.problems, ...problems], origin),
    };
    // Of two that were asked for at once the later one counts, whichever answer came last.
    if (question < this.#taken) return listing;
    this.#taken = question;
    this.#skills = skills;
    this.#granted = new Set([...granted].map(({ location }) => location));
    const until = clock.now() + Math.min(answer.ttlMs, longestFreshness);
    this.#kept = question > this.#doubted ? { listing, until } : undefined;
    return listing;
  }

  /** What was told may not be so any more, however long it was to hold: nor what is being asked for now. */
  doubt(): void {
    this.#kept = undefined;
    this.#doubted = this.#asked;
  }

  /** @throws `SKILL_NOT_FOUND` */
  find({ name, location }: SkillEntry): ToldSkill {
    const found = this.#skills.get(location);
    if (found !== undefined) return found;
    const { origin } = this.#parts.server;
    throw new SkillsError(
      'SKILL_NOT_FOUND',
      `The server ${origin} does not offer the skill ${quoted(name)} (any more).`,
    );
  }

  /** Whether the allowed tools of the skill at a location count. */
  granted(location: string): boolean {
    return this.#granted.has(location);
  }
}

function bounded(problems: readonly IndexProblem[], origin: string): readonly IndexProblem[] {
  if (problems.length <= mostProblems) return problems;
  const message = `There are ${problems.length - mostProblems} more problems with skills of this server.`;
  return [...problems.slice(0, mostProblems), { code: 'refused', location: `mcp://${origin}`, message }];
}
