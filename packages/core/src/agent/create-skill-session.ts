import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { checkPermissions } from '../policy/check-permissions.js';
import type { Judgement } from '../policy/judge-tool-use.js';
import { createSkillView } from '../registry/create-skill-view.js';
import type { RegistryOptions, SkillFile } from '../registry/skill-backend.js';
import type { SkillEntry, SkillIndex, SkillReference } from '../registry/skill-entry.js';
import type { SkillRegistry, SkillText } from '../registry/skill-registry.js';
import { defaultExcerptLimits } from '../registry/skill-excerpt.js';
import type { SkillFileText, WantedSkillFile } from '../tool/skill-tool-session.js';
import { usableTemplate } from '../registry/usable-template.js';
import type { SkillView } from '../registry/skill-view.js';
import type { Activation } from './activation.js';
import { checkTemplate, renderCatalogue, type Catalogue, type CatalogueOptions } from './context/catalogue.js';
import { checkStyle } from './context/catalogue-style.js';
import { bodyTokens } from './context/body-tokens.js';
import { bodyElement, renderSkillBody, withWords, type RenderedBody } from './context/render-skill-body.js';
import { renderExcerpt } from './context/render-excerpt.js';
import { fittingLength } from './context/fitting-length.js';
import { selectedPart } from './context/selected-part.js';
import { renderSkillRest, type UsedPart } from './context/skill-rest.js';
import { activeFile } from './actions/active-skill.js';
import { expectSha256 } from './expect-sha256.js';
import { developerNotes, type DeveloperNotes } from './developer-notes.js';
import { messageTexts, newestWords } from './message-texts.js';
import { judgeInSession, type SessionUse } from './judge-in-session.js';
import { countTokensOf } from './count-tokens.js';
import { expectRegistry } from '../registry/expect-registry.js';
import { skillReaders, type SkillReaders } from './skill-readers.js';
import { skillToolNames, unlockedTools, type NamedTool } from './unlocked-tools.js';
import type {
  SkillSessionPorts,
  SkillSessionOptions,
  SessionRequest,
  PreparedRequest,
  ActivateOptions,
  SkillSession,
} from './skill-session.js';

/**
 * Makes a session over a registry, which any number of sessions may share.
 *
 * @throws `USAGE` for a template without `{skills_list}`, for a style or permissions that are none, for what is no registry, and without `sha256`.
 * @example
 * ```ts
 * const session = createSkillSession(registry, { sha256, groupedTools: { pdf: [extractPdf] } });
 * const { system, tools } = await session.prepare({ system: 'You help.', tools: [], messages });
 * ```
 */
export function createSkillSession<Item extends NamedTool = NamedTool>(
  registry: SkillRegistry,
  ports: SkillSessionPorts<Item>,
  options: SkillSessionOptions<Item> = {},
): SkillSession<Item> {
  if (options.catalogueTemplate !== undefined) checkTemplate(options.catalogueTemplate);
  checkStyle(options.catalogueStyle);
  if (options.permissions !== undefined) checkPermissions(options.permissions);
  expectRegistry(registry);
  expectSha256(ports);
  const { kind, promptTemplate } = registry;
  if (promptTemplate !== undefined && usableTemplate(promptTemplate) === undefined) {
    developerNotes(ports).uselessTemplate(kind);
  }
  return new Session(createSkillView(registry, ports), ports, options);
}

interface ReadBody {
  /** The index's own. */
  readonly entry: SkillEntry;
  readonly text: SkillText;
  readonly body: RenderedBody;
}

interface Active {
  readonly activation: Activation;
  readonly text: SkillText;
  /** The body as the model was given it, tags and all. */
  readonly shown: string;
  /** The same as JSON spells it within a text: a loop may hand on the results of tools so. */
  readonly spelled: string;
  /** Whether its body is in the conversation: not looked for yet, or found, or not found. */
  readonly place: 'new' | 'there' | 'gone';
  /** What was read of its files. */
  readonly used: readonly UsedPart[];
}

class Session<Item extends NamedTool> implements SkillSession<Item> {
  readonly view: SkillView;
  readonly #ports: SkillSessionPorts<Item>;
  readonly #options: SkillSessionOptions<Item>;
  readonly #notes: DeveloperNotes;
  readonly #active = new Map<string, Active>();
  /** Lines that the ledger does not have any more: their texts were read all the same. */
  #outdated: readonly Activation[] = [];
  #turn = 0;
  /** The tools that the newest request came with. */
  #own: readonly Item[] = [];
  /** The newest request, and the skills that were in use before it: what the choice of the catalogue rests on. */
  #choice: { readonly words: string; readonly used: readonly string[] } = { words: '', used: [] };
  #reading: { readonly index: SkillIndex; readonly readers: SkillReaders<Item> } | undefined;

  constructor(view: SkillView, ports: SkillSessionPorts<Item>, options: SkillSessionOptions<Item>) {
    this.view = view;
    this.#ports = ports;
    this.#options = options;
    this.#notes = developerNotes(ports);
  }

  get activations(): readonly Activation[] {
    return [...this.#active.values()].map(({ activation }) => activation);
  }

  async initialise(options: RegistryOptions = {}): Promise<SkillIndex> {
    return this.view.index(options);
  }

  async reload(options: RegistryOptions = {}): Promise<SkillIndex> {
    return this.view.reload(options);
  }

  async readingTools(options: RegistryOptions = {}): Promise<readonly Item[]> {
    if ((await this.#catalogue(options)).text === '') return [];
    return (await this.#readers(options)).tools;
  }

  async renderSection(options: RegistryOptions = {}): Promise<string> {
    return (await this.#catalogue(options)).text;
  }

  async prepare<Request extends SessionRequest<Item>>(
    request: Request,
    options: RegistryOptions = {},
  ): Promise<PreparedRequest<Request, Item>> {
    if (this.#options.enableSkills === false) return request;
    this.#turn += 1;
    this.#own = request.tools;
    if (this.#options.autoReload === true) await this.#readAnew(options);
    this.#look(request.messages);
    const { text } = await this.#catalogue(options);
    if (text === '' && this.#active.size === 0) return request;
    const offered = this.activations.filter(({ name }) => !this.view.isDisabled(name));
    const readers = await this.#readers(options);
    const reading = text === '' ? [] : readers.tools;
    const names = new Set(request.tools.map(({ name }) => name));
    const tools = [...request.tools, ...reading.filter(({ name }) => !names.has(name))];
    const parts = [request.system, text, ...this.#rest(offered, readers)].filter((part) => part !== '');
    const { skillTools, groupedTools } = this.#ports;
    const unlocked = unlockedTools({ tools, skillTools, groupedTools }, offered).flatMap(({ tool, activation }) =>
      activation === undefined ? [] : [tool],
    );
    return { ...request, system: parts.join('\n\n'), tools: [...tools, ...unlocked] };
  }

  async activate(
    entry: SkillEntry,
    options: ActivateOptions,
  ): Promise<{ readonly text: string; readonly alreadyActive: boolean }> {
    const read = await this.#read(entry, options, undefined);
    const active = this.#active.get(read.entry.location);
    if (active !== undefined && active.place !== 'gone' && active.text.digest === read.text.digest) {
      return { text: alreadyThere(read.entry), alreadyActive: true };
    }
    this.#record(read, options);
    return { text: read.body.text, alreadyActive: false };
  }

  async call(skill: string | SkillReference, words: string, options: RegistryOptions = {}): Promise<string> {
    const entry = await this.view.get(skill, options);
    const name = typeof skill === 'string' ? skill : skill.name;
    if (entry === undefined) {
      const { skills } = await this.view.index(options);
      const names = skills.slice(0, mostNamed).map((one) => quoted(one.name, 64));
      throw new SkillsError('SKILL_NOT_FOUND', `There is no skill ${quoted(name)}.`, {
        hint: names.length === 0 ? 'There are no skills.' : `There are ${names.join(', ')}.`,
      });
    }
    const by: ActivateOptions = { ...options, by: 'user', reason: 'called by name' };
    const read = await this.#read(entry, by, words);
    this.#record(read, by);
    return withWords(read.body.text, words);
  }

  async readFile(wanted: WantedSkillFile, options: RegistryOptions = {}): Promise<SkillFileText> {
    const { loadFirst } = await this.#readers(options);
    const activations = this.#options.enableSkills === false ? [] : this.activations;
    const skills = { activations, view: this.view, loadFirst };
    const { activation, entry, path } = await activeFile(skills, { name: wanted.skill }, wanted.path);
    const contextTokens = this.#contextTokens;
    const excerpt = await this.view.read(entry, path, {
      signal: options.signal,
      selection: selectedPart(wanted),
      excerptLength: fittingLength(contextTokens, defaultExcerptLimits.excerptLength),
    });
    this.#note(activation.location, { path: excerpt.path, section: wanted.section });
    return { entry, excerpt, text: renderExcerpt(entry, excerpt, { sectionField: 'section', contextTokens }) };
  }

  judge(use: SessionUse): Judgement {
    const { activations, view } = this;
    const reading = this.#reading?.readers.tools ?? [];
    const skills = { activations, outdated: this.#outdated, tools: this.#own, reading, ports: this.#ports, view };
    return judgeInSession(use, skills, this.#options.permissions ?? {});
  }

  /** Of a body that is taken out of the conversation later, the sections that were used stay. */
  #note(location: string, part: UsedPart): void {
    const active = this.#active.get(location);
    if (active !== undefined) this.#active.set(location, { ...active, used: [...active.used, part].slice(-mostUsed) });
  }

  async #read(wanted: SkillEntry, { by, signal }: ActivateOptions, words: string | undefined): Promise<ReadBody> {
    if (this.#options.enableSkills === false || this.view.isDisabled(wanted.name)) throw switchedOff(wanted);
    // What a person called, a model may read again.
    const calledByPerson = this.#active.get(wanted.location)?.activation.by === 'user';
    const refused = by === 'model' && !calledByPerson;
    if (refused) refuseForPeopleOnly(wanted, wanted.head);
    const text = await this.view.body(wanted, { signal });
    // An index that was made without the text, as a remote one, does not know what it forbids.
    if (refused) refuseForPeopleOnly(wanted, text.skill);
    const files = await this.#filesOf(wanted, { signal });
    // What the index says of it counts, not what the caller says; and what is so now, after all that waiting.
    const entry = await this.view.getByPath(wanted.location, { signal });
    if (entry === undefined) throw switchedOff(wanted);
    const { restBy } = await this.#readers({ signal });
    const maxTokens = bodyTokens(this.#contextTokens);
    const body = renderSkillBody({ entry, text, files }, this.#tokens(), { words, restBy, maxTokens });
    return { entry, text, body };
  }

  /** Their names are a help; a skill whose files cannot be listed can be used all the same. */
  async #filesOf(entry: SkillEntry, options: RegistryOptions): Promise<readonly SkillFile[]> {
    try {
      return await this.view.files(entry, options);
    } catch (error) {
      if (options.signal?.aborted === true) throw error;
      this.#notes.noFiles(entry.name, error);
      return [];
    }
  }

  #record({ entry, text, body }: ReadBody, options: ActivateOptions): void {
    const { name, scope, location, pack } = entry;
    const { skillTools, groupedTools } = this.#ports;
    const unlocked = skillToolNames(
      { name, allowedTools: text.skill.allowedTools },
      { tools: this.#own, skillTools, groupedTools },
    );
    this.#notes.unknownTools({ name, ...unlocked });
    // It stays theirs.
    const { by, reason } = options.by === 'model' ? (this.#active.get(location)?.activation ?? options) : options;
    const known = { name, scope, location, pack, digest: text.digest, by, reason, turn: this.#turn, lines: body.lines };
    const { allowedTools } = text.skill;
    const activation: Activation = { ...known, ...unlocked, allowedTools, runMode: 'inline' };
    const shown = bodyElement(body.text);
    const before = this.#active.get(location);
    const used = before?.used ?? [];
    if (before !== undefined && (before.text.digest !== text.digest || !isOfSameOrigin(before.activation, activation)))
      this.#outdated = [...this.#outdated, before.activation];
    this.#active.set(location, { activation, text, shown, spelled: spelledInJson(shown), place: 'new', used });
  }

  async #readAnew(options: RegistryOptions): Promise<void> {
    this.#notes.stale((await this.view.reload(options)).problems);
  }

  /**
   * Learns what the newest request is, and which bodies stand in the conversation. One that is not there was taken out of
   * it, or never came into it: nothing but the conversation says what the model has before it.
   */
  #look(messages: SessionRequest<Item>['messages']): void {
    if (messages === undefined) return;
    const words = newestWords(messages).slice(0, longestQuery);
    if (words !== this.#choice.words) this.#choice = { words, used: [...this.#active.keys()] };
    const texts = this.#active.size === 0 ? [] : messages.flatMap(messageTexts);
    for (const [location, active] of this.#active) {
      // Any text can name a digest; only the body itself holds what the skill says.
      const there = texts.some((text) => text.includes(active.shown) || text.includes(active.spelled));
      this.#active.set(location, { ...active, place: there ? 'there' : 'gone' });
    }
  }

  /** What must not be forgotten of skills whose bodies are not in the conversation. */
  #rest(offered: readonly Activation[], { again }: SkillReaders<Item>): readonly string[] {
    const contextTokens = this.#contextTokens;
    return offered.flatMap((activation) => {
      const active = this.#active.get(activation.location);
      if (active?.place !== 'gone') return [];
      const { text, used } = active;
      return [renderSkillRest(activation, { text, used, contextTokens, again })];
    });
  }

  async #catalogue(options: RegistryOptions): Promise<Catalogue> {
    const { enableSkills, pinned } = this.#options;
    if (enableSkills === false) return renderCatalogue({ skills: [] }, this.#tokens(), { budget: 0 });
    const index = await this.view.index(options);
    const { skills } = index;
    const { words, used } = this.#choice;
    const catalogueOptions = this.#catalogueOptions(await this.#readers(options));
    const make = (ranked: readonly string[]): Catalogue =>
      renderCatalogue({ skills, pinned, used, ranked }, this.#tokens(), catalogueOptions);
    const catalogue = make([]);
    const { short, named, hidden } = catalogue.counts;
    if (words === '' || short + named + hidden === 0) return catalogue;
    const found = await this.view.search(words, { ...options, limit: mostRanked });
    return make(found.map(({ entry }) => entry.name));
  }

  #catalogueOptions({ loadInstructions, searchInstructions, rules }: SkillReaders<Item>): CatalogueOptions {
    const { catalogueShare = 0.02, catalogueStyle, catalogueTemplate } = this.#options;
    return {
      budget: Math.floor(this.#contextTokens * catalogueShare),
      style: catalogueStyle,
      template: catalogueTemplate ?? usableTemplate(this.view.promptTemplate),
      loadInstructions: this.#options.loadInstructions ?? this.view.loadInstructions ?? loadInstructions,
      searchInstructions,
      rules,
    };
  }

  /** The tools by which a model reads skills now. */
  async #readers(options: RegistryOptions): Promise<SkillReaders<Item>> {
    const index = await this.view.index(options);
    if (this.#reading?.index !== index) {
      this.#reading = { index, readers: skillReaders((await this.#options.readingTools?.(this, index)) ?? []) };
    }
    return this.#reading.readers;
  }

  get #contextTokens(): number {
    return this.#options.contextTokens ?? defaultContextTokens;
  }

  #tokens(): { readonly countTokens: (text: string) => number } {
    return { countTokens: countTokensOf(this.#ports) };
  }
}

const mostUsed = 40;
const defaultContextTokens = 128_000;
const longestQuery = 2_000;
const mostRanked = 20;
const mostNamed = 40;

function switchedOff({ name }: SkillEntry): SkillsError {
  return new SkillsError('SKILL_NOT_FOUND', `The skill ${quoted(name)} is switched off.`);
}

function refuseForPeopleOnly({ name }: SkillEntry, { modelInvocable }: SkillEntry['head']): void {
  if (modelInvocable) return;
  throw new SkillsError('TOOL_NOT_ALLOWED', `Only a person may call the skill ${quoted(name)}.`);
}

function alreadyThere({ name }: SkillEntry): string {
  return `The instructions of the skill ${quoted(name)} stand in this conversation already, and hold.`;
}

/** A text as it stands in a text of JSON. */
function spelledInJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** Whether two lines of the ledger say that a skill comes from the same place. */
function isOfSameOrigin(one: Activation, other: Activation): boolean {
  return one.scope === other.scope && one.pack === other.pack;
}
