import { SkillsError } from '../errors/skills-error.js';
import { canonicalJson } from '../json/canonical-json.js';
import { parseJson } from '../json/parse-json.js';
import { createSkillRegistry } from '../registry/create-skill-registry.js';
import { createSkillView } from '../registry/create-skill-view.js';
import type { SkillBackend, SkillFile, SkillListing } from '../registry/skill-backend.js';
import type { SkillEntry, SkillIndex } from '../registry/skill-entry.js';
import { defaultExcerptLimits } from '../registry/skill-excerpt.js';
import type { SkillRegistry, SkillText } from '../registry/skill-registry.js';
import type { DisabledSkill, SkillView } from '../registry/skill-view.js';
import type { Sha256 } from '../digest/digest.js';
import type { Digest } from '../digest/is-digest.js';
import { readSkillLazily } from '../skill/read-skill-lazily.js';
import type { Skill } from '../skill/skill.js';
import { defaultSkillLimits } from '../skill/skill-limits.js';
import type { Activation } from './activation.js';
import { distinctLocations } from './distinct-locations.js';
import { fittingLength } from './context/fitting-length.js';
import { redactBytes } from './record/redact-bytes.js';
import { redactOutput } from './redact-event.js';
import { asError, recordedError } from './recorded-error.js';
import type { KeptText } from './run-event.js';
import type { Patience } from './patience.js';
import { plainBytes } from './plain-bytes.js';
import type { RunRecorder } from './run-recorder.js';

/** The index of skills as a run holds it: what was offered at one moment, and the file of the record that says so. */
export interface IndexSnapshot {
  readonly listing: SkillListing;
  readonly index: SkillIndex;
  readonly kept: KeptText;
  /** As the registry gave it. */
  readonly given: SkillIndex | undefined;
  /** The registry's own entry of each location. */
  readonly own: ReadonlyMap<string, SkillEntry>;
}

/** What a library is made from. */
export interface LibraryPorts {
  readonly registry: SkillRegistry;
  readonly recorder: RunRecorder;
  readonly sha256: Sha256;
  readonly patience: Patience;
  /** Tokens of the model's window, by which the excerpts of files are cut. @default such that it does not matter */
  readonly contextTokens?: number | undefined;
  /** What is switched off when it begins. @default nothing */
  readonly disabled?: readonly DisabledSkill[] | undefined;
}

const noSkills: SkillListing = { skills: [], shadowed: [], problems: [] };

/** Keeps what a registry offers now. The listing is what the record holds, so that a replay has the same. */
export async function takeSnapshot(
  index: SkillIndex | undefined,
  ports: Pick<LibraryPorts, 'recorder' | 'sha256'>,
): Promise<IndexSnapshot> {
  const { recorder, sha256 } = ports;
  const { skills, shadowed, problems } = index ?? noSkills;
  // Of a listing, only texts were replaced.
  const redacted = redactOutput({ skills, shadowed, problems }, recorder.redact) as unknown as SkillListing;
  const text = canonicalJson(distinctLocations(redacted));
  const kept = await recorder.keepText(text);
  // It was written from a listing in this function.
  const listing = parseJson(text) as SkillListing;
  const entries = [...skills, ...(shadowed ?? []).map(({ entry }) => entry)];
  const places = [...listing.skills, ...(listing.shadowed ?? []).map(({ entry }) => entry)];
  return {
    listing,
    index: await createSkillRegistry({ ...nothing, list: async () => listing }, { sha256 }).index(),
    kept,
    given: index,
    own: new Map(places.flatMap(({ location }, at) => (entries[at] === undefined ? [] : [[location, entries[at]]]))),
  };
}

const nothing: SkillBackend = {
  kind: 'snapshot',
  list: async () => noSkills,
  files: async () => [],
  bytes: async () => new Uint8Array(),
};

/**
 * The skills as a run sees them: those of one snapshot, without those that were switched off, and every file that is
 * read from them goes into the record first. What is not from the record is not seen.
 */
export class SkillLibrary {
  readonly #ports: LibraryPorts;
  readonly #run: string;
  #snapshot: IndexSnapshot;
  readonly view: SkillView;
  /** How long the registry is waited for. */
  patience: Patience;

  constructor(run: string, snapshot: IndexSnapshot, ports: LibraryPorts) {
    this.#run = run;
    this.patience = ports.patience;
    this.#ports = ports;
    this.#snapshot = snapshot;
    const { excerptLength: most } = defaultExcerptLimits;
    const limits = { excerptLength: fittingLength(ports.contextTokens ?? Infinity, most) };
    const registry = createSkillRegistry(this.#backend(), { sha256: ports.sha256 }, { limits });
    this.view = createSkillView(registry, ports, { disabled: ports.disabled });
  }

  get snapshot(): IndexSnapshot {
    return this.#snapshot;
  }

  /** From now on, another state of the registry holds. */
  async change(snapshot: IndexSnapshot): Promise<void> {
    this.#snapshot = snapshot;
    await this.view.reload();
  }

  /** The registry's own entry, as runners and other ports know it. */
  own(entry: SkillEntry): SkillEntry {
    return this.#snapshot.own.get(entry.location) ?? entry;
  }

  /**
   * The SKILL.md of a skill as it is now, where it is another one than with the digest: then the record has it. One that
   * cannot be read, is no skill any more, or forbids the model what it did, is as if it were the same: `undefined`.
   *
   * @throws `INTERRUPTED`; what the record throws.
   */
  async changedText(
    skill: SkillEntry,
    { digest, by }: Pick<Activation, 'by'> & { readonly digest: Digest | undefined },
  ): Promise<SkillText | undefined> {
    const { recorder, sha256 } = this.#ports;
    const answer = await this.#mainFile(skill);
    if (answer === undefined) return undefined;
    const redacted = redactBytes(answer, recorder.redact);
    const found = sha256(redacted);
    const text = found === digest ? undefined : await readable(redacted, skill);
    if (text === undefined || (by === 'model' && !text.modelInvocable)) return undefined;
    const { kept } = await recorder.keep(answer);
    await recorder.append(this.#run, { type: 'skill_read', location: skill.location, path: mainFile, kept });
    return { skill: text, digest: found, size: redacted.length };
  }

  async #mainFile(skill: SkillEntry): Promise<Uint8Array | undefined> {
    const { registry } = this.#ports;
    try {
      const maxBytes = defaultSkillLimits.fileBytes;
      const bytes = await this.patience.waitFor({ who: 'The registry' }, async (signal) =>
        checkedBytes(await registry.bytes(this.own(skill), mainFile, { maxBytes, signal })),
      );
      return bytes.length > maxBytes ? undefined : bytes;
    } catch (error) {
      // Registries come from anywhere: what one throws may be anything.
      if (SkillsError.is(error, 'INTERRUPTED')) throw error;
      return undefined;
    }
  }

  #backend(): SkillBackend {
    const { registry, recorder } = this.#ports;
    const text = (given: string | undefined): string | undefined =>
      given === undefined ? undefined : recorder.redact(given.toWellFormed());
    return {
      kind: registry.kind,
      loadInstructions: text(registry.loadInstructions),
      promptTemplate: text(registry.promptTemplate),
      list: async () => this.#snapshot.listing,
      files: async (skill) => this.#files(skill),
      bytes: async (skill, path, { maxBytes }) => this.#bytes(skill, path, maxBytes),
    };
  }

  async #files(skill: SkillEntry): ReturnType<SkillBackend['files']> {
    const { recorder, registry } = this.#ports;
    const rows = await this.#answer({ skill, path: '' }, async (own, signal) =>
      plainFiles(await registry.files(own, { signal })),
    );
    const text = canonicalJson(redactOutput(rows, recorder.redact));
    const kept = await recorder.keepText(text);
    await recorder.append(this.#run, { type: 'skill_read', location: skill.location, path: '', kept });
    // It was written in the lines above.
    return parseJson(text) as Awaited<ReturnType<SkillBackend['files']>>;
  }

  async #bytes(skill: SkillEntry, path: string, maxBytes: number): Promise<Uint8Array> {
    const { recorder, registry } = this.#ports;
    const answer = await this.#answer({ skill, path }, async (own, signal) =>
      checkedBytes(await registry.bytes(own, path, { maxBytes, signal })),
    );
    const { kept, bytes } = await recorder.keep(answer);
    await recorder.append(this.#run, { type: 'skill_read', location: skill.location, path, kept });
    return bytes;
  }

  /** What the registry answers; an error goes into the record, and then on in the form that it has there. */
  async #answer<Answer>(
    { skill, path }: { readonly skill: SkillEntry; readonly path: string },
    ask: (own: SkillEntry, signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const { recorder } = this.#ports;
    try {
      return await this.patience.waitFor({ who: 'The registry' }, async (signal) => ask(this.own(skill), signal));
    } catch (cause) {
      const error = recordedError(cause, recorder);
      const { location } = skill;
      const event = await recorder.append(this.#run, { type: 'skill_read', location, path, error });
      throw asError(event.type === 'skill_read' && event.error !== undefined ? event.error : error);
    }
  }
}

const mainFile = 'SKILL.md';

async function readable(bytes: Uint8Array, { head }: SkillEntry): Promise<Skill | undefined> {
  try {
    return await readSkillLazily(bytes, { folder: head.name });
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return undefined;
  }
}

/** What a registry says of files, in the form that a record has: registries come from anywhere. */
function plainFiles(files: unknown): readonly SkillFile[] {
  if (!Array.isArray(files)) throw new SkillsError('REGISTRY_ERROR', 'The registry answered with no list of files.');
  return files.flatMap((file: unknown) => {
    if (typeof file !== 'object' || file === null) return [];
    const { path, size, executable } = file as Readonly<Record<string, unknown>>;
    if (typeof path !== 'string') return [];
    return [{ path, size: Number.isSafeInteger(size) ? Number(size) : 0, executable: executable === true }];
  });
}

function checkedBytes(answer: unknown): Uint8Array {
  const bytes = plainBytes(answer);
  if (bytes === undefined) throw new SkillsError('REGISTRY_ERROR', 'The registry answered with no bytes.');
  return bytes;
}
