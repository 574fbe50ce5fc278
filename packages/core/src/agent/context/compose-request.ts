import { canonicalJson } from '../../json/canonical-json.js';
import { recordable } from '../../json/recordable.js';
import type { AgentActionKind } from '../../model/action.js';
import { decisionSchema } from '../../model/decision-schema.js';
import type { ModelMessage, ModelRequest } from '../../model/model-adapter.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import type { SkillText } from '../../registry/skill-registry.js';
import type { ToolDescription } from '../../tool/tool.js';
import type { RunState } from '../run-state.js';
import { renderCatalogue, type Catalogue, type TokenPorts } from './catalogue.js';
import type { CatalogueStyle } from './catalogue-style.js';
import { conversationMessages } from './conversation-messages.js';
import { composeSystem } from './compose-system.js';
import { usedBefore } from './shown-skills.js';

/** What a request to a model is made of. */
export interface RequestParts {
  readonly state: RunState;
  readonly index: { readonly skills: readonly SkillEntry[] };
  /** The text of each active skill, by location. */
  readonly bodies: ReadonlyMap<string, SkillText>;
  /** Those that are offered now. */
  readonly tools: readonly ToolDescription[];
  /** Names of the skills that a search for the newest request found, the best first. @default [] */
  readonly ranked?: readonly string[] | undefined;
}

/** How a request is made. */
export interface ComposeOptions {
  /** Actions that the model may answer with. Those about skills are left out where there is no skill. */
  readonly actions: readonly AgentActionKind[];
  /** Whether the adapter hands the tools to its provider, so that the system text does not list them. @default false */
  readonly nativeTools?: boolean | undefined;
  /** What the model is told at the beginning. @default one sentence */
  readonly system?: string | undefined;
  /** What the project says of itself. @default nothing */
  readonly instructions?: string | undefined;
  /** Whether skills are offered. @default true */
  readonly enableSkills?: boolean | undefined;
  /** The part of the model's window that the catalogue may take. @default 0.02 */
  readonly catalogueShare?: number | undefined;
  /** @default that of the style */
  readonly catalogueTemplate?: string | undefined;
  /** @default 'markdown' */
  readonly catalogueStyle?: CatalogueStyle | undefined;
  /** How a skill is loaded, in a sentence. @default by `select_skills` */
  readonly loadInstructions?: string | undefined;
  /** Names of skills that keep their whole description. @default [] */
  readonly pinned?: readonly string[] | undefined;
}

/** A request, and what it takes. */
export interface ComposedRequest {
  readonly request: ModelRequest;
  /** Of system text, messages, tools and schema. */
  readonly tokens: number;
  readonly catalogue: Catalogue;
}

/**
 * Makes the next request to a model from the state of a run, in fixed parts: the system text, what the project says of
 * itself, how to answer, the tools, the catalogue; then the conversation. Pure: the same state gives the same bytes.
 * Nothing of a skill but its line in the catalogue is in it before the action that loads it.
 *
 * @throws `USAGE` for a template without `{skills_list}`.
 */
export function composeRequest(parts: RequestParts, ports: TokenPorts, options: ComposeOptions): ComposedRequest {
  const catalogue = composeCatalogue(parts, ports, options);
  const actions = offeredActions(parts.state, catalogue, options);
  const tools = parts.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const { nativeTools = false } = options;
  const system = composeSystem(catalogue.text, { ...options, actions, tools: nativeTools ? [] : tools });
  const messages = conversationMessages({ ...parts, skills: parts.index.skills }, ports);
  const request = { system, messages, tools, actions, answerSchema: decisionSchema(actions) };
  const { countTokens } = ports;
  const around = canonicalJson(recordable([nativeTools ? tools : [], request.answerSchema]));
  const tokens = countTokens(system) + countTokens(around) + messageTokens(messages, ports);
  return { request, tokens, catalogue };
}

/** Tokens of a conversation. */
export function messageTokens(messages: readonly ModelMessage[], { countTokens }: TokenPorts): number {
  return messages.reduce((sum, { content }) => sum + countTokens(content) + tokensPerMessage, 0);
}

// What providers put around each message.
const tokensPerMessage = 4;

function composeCatalogue(parts: RequestParts, ports: TokenPorts, options: ComposeOptions): Catalogue {
  const { state, index, ranked } = parts;
  const { catalogueShare = 0.02, pinned, loadInstructions } = options;
  const forPeople = new Set(state.forPeople);
  const skills = options.enableSkills === false ? [] : index.skills.filter(({ location }) => !forPeople.has(location));
  const disabled = state.disabled.map(({ name }) => name);
  return renderCatalogue({ skills, disabled, pinned, used: usedBefore(state), ranked }, ports, {
    budget: Math.floor(state.contextTokens * catalogueShare),
    style: options.catalogueStyle,
    template: options.catalogueTemplate,
    loadInstructions,
    searchInstructions: options.actions.includes('search_skills') ? undefined : '',
    rules: {
      ...(options.actions.includes('load_resource') ? {} : { files: '' }),
      ...(options.actions.includes('run_script') ? {} : { scripts: '' }),
    },
  });
}

const skillActions: ReadonlySet<AgentActionKind> = new Set([
  'select_skills',
  'load_resource',
  'run_script',
  'search_skills',
  'disable_skill',
  'enable_skill',
]);

function offeredActions(
  { activations, disabled }: RunState,
  catalogue: Catalogue,
  { actions }: ComposeOptions,
): readonly AgentActionKind[] {
  const skillsThere = catalogue.text !== '' || activations.length > 0 || disabled.length > 0;
  return skillsThere ? actions : actions.filter((kind) => !skillActions.has(kind));
}
