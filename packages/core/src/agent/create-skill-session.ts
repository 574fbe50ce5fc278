import { messageOf } from '../errors/message-of.js';
import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import { createSkillView } from '../registry/create-skill-view.js';
import type { RegistryOptions, SkillFile } from '../registry/skill-backend.js';
import type { SkillEntry, SkillIndex, SkillReference } from '../registry/skill-entry.js';
import type { SkillRegistry, SkillText } from '../registry/skill-registry.js';
import { usableTemplate } from '../registry/usable-template.js';
import type { SkillView } from '../registry/skill-view.js';
import type { Activation } from './activation.js';
import { checkTemplate, renderCatalogue, type Catalogue, type CatalogueOptions } from './context/catalogue.js';
import { bodyTokens } from './context/body-tokens.js';
import { bodyElement, renderSkillBody, withWords, type RenderedBody } from './context/render-skill-body.js';
import { renderSkillRest } from './context/skill-rest.js';
import { countTokensOf } from './count-tokens.js';
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
 * @throws `USAGE` for a template without `{skills_list}`.
 * @example
 * ```ts
 * const session = createSkillSession(registry, { sha256 }, { groupedTools: { pdf: [extractPdf] } });
 * const { system, tools } = await session.prepare({ system: 'You help.', tools: [], messages });
 * ```
 */
export function createSkillSession<Item extends NamedTool = NamedTool>(
  registry: SkillRegistry,
  ports: SkillSessionPorts,
  options: SkillSessionOptions<Item> = {},
): SkillSession<Item> {
  if (options.catalogueTemplate !== undefined) checkTemplate(options.catalogueTemplate);
  const { kind, promptTemplate } = registry;
  if (promptTemplate !== undefined && usableTemplate(promptTemplate) === undefined) {
    ports.debug?.(
      `The template that ${quoted(kind)} brings for the catalogue counts for nothing: it has no place for skills.`,
    );
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
  /** Whether its body was seen in the conversation, and whether it is still there. */
  readonly place: 'new' | 'seen' | 'gone';
}

class Session<Item extends NamedTool> implements SkillSession<Item> {
  readonly view: SkillView;
  readonly #ports: SkillSessionPorts;
  readonly #options: SkillSessionOptions<Item>;
  readonly #active = new Map<string, Active>();
  #turn = 0;
  /** The tools that the newest request came with. */
  #own: readonly Item[] = [];
  /** The newest request, and the skills that were in use before it: what the choice of the catalogue rests on. */
  #choice: { readonly words: string; readonly used: readonly string[] } = { words: '', used: [] };
  #reading: { readonly index: SkillIndex; readonly tools: readonly Item[] } | undefined;

  constructor(view: SkillView, ports: SkillSessionPorts, options: SkillSessionOptions<Item>) {
    this.view = view;
    this.#ports = ports;
    this.#options = options;
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
    return this.#tools(await this.view.index(options));
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
    const reading = text === '' ? [] : await this.#tools(await this.view.index(options));
    const names = new Set(request.tools.map(({ name }) => name));
    const tools = [...request.tools, ...reading.filter(({ name }) => !names.has(name))];
    const parts = [request.system, text, ...this.#rest(offered)].filter((part) => part !== '');
    const { skillTools, groupedTools } = this.#options;
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
    const maxTokens = bodyTokens(this.#options.contextTokens ?? defaultContextTokens);
    const body = renderSkillBody({ entry, text, files }, this.#tokens(), { words, restBy: 'path', maxTokens });
    return { entry, text, body };
  }

  /** Their names are a help; a skill whose files cannot be listed can be used all the same. */
  async #filesOf(entry: SkillEntry, options: RegistryOptions): Promise<readonly SkillFile[]> {
    try {
      return await this.view.files(entry, options);
    } catch (error) {
      if (options.signal?.aborted === true) throw error;
      this.#ports.debug?.(
        `The files of the skill ${quoted(entry.name)} cannot be listed: ${quoted(messageOf(error))}.`,
      );
      return [];
    }
  }

  #record({ entry, text, body }: ReadBody, options: ActivateOptions): void {
    const { name, scope, location, pack } = entry;
    const { skillTools, groupedTools } = this.#options;
    const unlocked = skillToolNames(
      { name, allowedTools: text.skill.allowedTools },
      { tools: this.#own, skillTools, groupedTools },
    );
    for (const tool of unlocked.unknownTools) {
      this.#ports.debug?.(`The skill ${quoted(name)} allows the tool ${quoted(tool)}, which nobody has.`);
    }
    // It stays theirs.
    const { by, reason } = options.by === 'model' ? (this.#active.get(location)?.activation ?? options) : options;
    const known = { name, scope, location, pack, digest: text.digest, by, reason, turn: this.#turn, lines: body.lines };
    const activation: Activation = { ...known, ...unlocked, runMode: 'inline' };
    this.#active.set(location, { activation, text, shown: bodyElement(body.text), place: 'new' });
  }

  async #readAnew(options: RegistryOptions): Promise<void> {
    const { problems } = await this.view.reload(options);
    for (const { code, message } of problems) {
      if (code === 'stale') this.#ports.debug?.(`The skills could not be read anew; the last state holds. ${message}`);
    }
  }

  /** Learns what the newest request is, and which bodies stand in the conversation. */
  #look(messages: SessionRequest<Item>['messages']): void {
    if (messages === undefined) return;
    const words = messages.findLast(({ role }) => role === 'user')?.content.slice(0, longestQuery) ?? '';
    if (words !== this.#choice.words) this.#choice = { words, used: [...this.#active.keys()] };
    for (const [location, active] of this.#active) {
      // Any text can name a digest; only the body itself holds what the skill says.
      const there = messages.some(({ content }) => content.includes(active.shown));
      const tag = active.shown.slice(0, active.shown.indexOf('\n'));
      const cut = !there && messages.some(({ content }) => content.includes(tag));
      if (there) this.#active.set(location, { ...active, place: 'seen' });
      else if (cut || active.place === 'seen') this.#active.set(location, { ...active, place: 'gone' });
    }
  }

  /** What must not be forgotten of skills whose bodies were taken out of the conversation. */
  #rest(offered: readonly Activation[]): readonly string[] {
    const { contextTokens = defaultContextTokens } = this.#options;
    return offered.flatMap((activation) => {
      const active = this.#active.get(activation.location);
      return active?.place === 'gone'
        ? [renderSkillRest(activation, { text: active.text, used: [], contextTokens })]
        : [];
    });
  }

  async #catalogue(options: RegistryOptions): Promise<Catalogue> {
    const { enableSkills, pinned } = this.#options;
    if (enableSkills === false) return renderCatalogue({ skills: [] }, this.#tokens(), { budget: 0 });
    const index = await this.view.index(options);
    const { skills } = index;
    const { words, used } = this.#choice;
    const catalogueOptions = this.#catalogueOptions(await this.#tools(index));
    const make = (ranked: readonly string[]): Catalogue =>
      renderCatalogue({ skills, pinned, used, ranked }, this.#tokens(), catalogueOptions);
    const catalogue = make([]);
    const { short, named, hidden } = catalogue.counts;
    if (words === '' || short + named + hidden === 0) return catalogue;
    const found = await this.view.search(words, { ...options, limit: mostRanked });
    return make(found.map(({ entry }) => entry.name));
  }

  #catalogueOptions(tools: readonly Item[]): CatalogueOptions {
    const {
      contextTokens = defaultContextTokens,
      catalogueShare = 0.02,
      catalogueStyle,
      catalogueTemplate,
    } = this.#options;
    const [loader, ...others] = tools.map(({ name }) => name);
    return {
      budget: Math.floor(contextTokens * catalogueShare),
      style: catalogueStyle,
      template: catalogueTemplate ?? usableTemplate(this.view.promptTemplate),
      loadInstructions:
        this.#options.loadInstructions ??
        this.view.loadInstructions ??
        (loader === undefined
          ? 'To load a skill, read the `SKILL.md` in its folder.'
          : `Use the \`${loader}\` tool to load the full content of a skill when you need it.`),
      searchInstructions: others.includes('search_skills') ? undefined : '',
    };
  }

  async #tools(index: SkillIndex): Promise<readonly Item[]> {
    if (this.#reading?.index !== index) {
      this.#reading = { index, tools: (await this.#options.readingTools?.(this, index)) ?? [] };
    }
    return this.#reading.tools;
  }

  #tokens(): { readonly countTokens: (text: string) => number } {
    return { countTokens: countTokensOf(this.#ports) };
  }
}

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
