import type { Sha256 } from '../digest/digest.js';
import type { RegistryOptions } from '../registry/skill-backend.js';
import type { SkillEntry, SkillIndex, SkillReference } from '../registry/skill-entry.js';
import type { SkillView } from '../registry/skill-view.js';
import type { Judgement } from '../policy/judge-tool-use.js';
import type { Permissions } from '../policy/permissions.js';
import type { SkillFileText, WantedSkillFile } from '../tool/skill-tool-session.js';
import type { ActivatedBy, Activation } from './activation.js';
import type { DebugPort } from './developer-notes.js';
import type { SessionUse } from './judge-in-session.js';
import type { CatalogueStyle } from './context/catalogue-style.js';
import type { NamedTool, SessionTools } from './unlocked-tools.js';

/** What a session takes from its surroundings: among it the tools that skills bring, as `AgentPorts` has them. */
export interface SkillSessionPorts<Item extends NamedTool = NamedTool> extends SessionTools<Item>, DebugPort {
  readonly sha256: Sha256;
  /** Tokens of a text. @default an estimate */
  readonly countTokens?: ((text: string) => number) | undefined;
}

/** How a session behaves. */
export interface SkillSessionOptions<Item extends NamedTool = NamedTool> {
  /** Whether skills are offered at all. @default true */
  readonly enableSkills?: boolean | undefined;
  /** Whether the registry is read anew before each request. @default false */
  readonly autoReload?: boolean | undefined;
  /**
   * Makes the tools by which a model reads skills; the first one loads them. Called once for each state of the index, so
   * that they can name its skills. @default none
   */
  readonly readingTools?:
    | ((session: SkillSession<Item>, index: SkillIndex) => readonly Item[] | Promise<readonly Item[]>)
    | undefined;
  /** Tokens of the model's window. @default 128000 */
  readonly contextTokens?: number | undefined;
  /** What `judge` judges by. @default what only reads is done, what is of medium risk needs a yes, what is of high risk is off */
  readonly permissions?: Permissions | undefined;
  /** The part of the window that the catalogue may take. @default 0.02 */
  readonly catalogueShare?: number | undefined;
  /** @default 'markdown' */
  readonly catalogueStyle?: CatalogueStyle | undefined;
  /** Text with `{skills_list}` and `{skills_load_instructions}`. @default the registry's, else that of the style */
  readonly catalogueTemplate?: string | undefined;
  /** How a skill is loaded, in a sentence. @default the registry's, else one that names the first reading tool */
  readonly loadInstructions?: string | undefined;
  /** Names of skills that keep their whole description. @default [] */
  readonly pinned?: readonly string[] | undefined;
}

/** What a loop is about to send to its model. */
export interface SessionRequest<Item extends NamedTool> {
  readonly system: string;
  readonly tools: readonly Item[];
  /**
   * The conversation, as the API of the model has it: with texts, or with parts and results of tools in it. With it, the
   * catalogue fits the newest request, and a body that is not in it, or not any more, can be read again.
   */
  readonly messages?: readonly object[] | undefined;
}

/** A request as it goes to the model: the tools are its own and those that skills brought, so of the session's type. */
export type PreparedRequest<Request extends SessionRequest<Item>, Item extends NamedTool> = Omit<Request, 'tools'> & {
  readonly tools: readonly Item[];
};

/** Why a skill is activated. */
export interface ActivateOptions extends RegistryOptions {
  readonly by: ActivatedBy;
  readonly reason: string;
}

/** The skills of one conversation, for a loop that is there already. */
export interface SkillSession<Item extends NamedTool = NamedTool> {
  /** The registry as this session sees it: what is switched off here, others never notice. */
  readonly view: SkillView;
  /** The ledger, in the order of activation. */
  readonly activations: readonly Activation[];
  /** Reads the index, where that has not happened yet. */
  initialise(options?: RegistryOptions): Promise<SkillIndex>;
  /** Reads it anew. */
  reload(options?: RegistryOptions): Promise<SkillIndex>;
  /** The tools by which a model reads skills; none where there is no skill. */
  readingTools(options?: RegistryOptions): Promise<readonly Item[]>;
  /** The catalogue as it would be now; empty where there is no skill. */
  renderSection(options?: RegistryOptions): Promise<string>;
  /**
   * Adds to a request what the skills bring: the catalogue at the end of the system text, the reading tools, and the tools
   * of skills that were read. Where there is no skill, it is the request as it came.
   *
   * @throws what `SkillRegistry.index` throws where it has never been read.
   */
  prepare<Request extends SessionRequest<Item>>(
    request: Request,
    options?: RegistryOptions,
  ): Promise<PreparedRequest<Request, Item>>;
  /**
   * Reads a skill for the model and writes it into the ledger; of one whose text stands in the conversation, only that.
   *
   * @throws what `SkillRegistry.body` throws; `SKILL_NOT_FOUND` for one that is switched off; `TOOL_NOT_ALLOWED` where the
   * model asks for one that only people may call, and none did. The ledger then stays as it is.
   */
  activate(
    entry: SkillEntry,
    options: ActivateOptions,
  ): Promise<{ readonly text: string; readonly alreadyActive: boolean }>;
  /**
   * Reads a file of a skill that is active, or a part of it, for the model. It is cut to fit the window.
   *
   * @throws what `SkillRegistry.read` throws; `SKILL_NOT_FOUND` for a skill that is not active, or switched off.
   */
  readFile(wanted: WantedSkillFile, options?: RegistryOptions): Promise<SkillFileText>;
  /**
   * Judges what the loop is about to do for the model, as a run of an agent does: by the permissions of the session, and
   * by what the skills that were read in it declare. The tools that read skills are allowed, so that a loop can have every
   * call judged. What is to be asked, the loop asks.
   */
  judge(use: SessionUse): Judgement;
  /**
   * The message of a person who calls a skill by name: its body, a blank line, and what they wrote.
   *
   * @throws `SKILL_NOT_FOUND`.
   */
  call(skill: string | SkillReference, words: string, options?: RegistryOptions): Promise<string>;
}
