import type { JsonObject } from '../json/json-value.js';
import type { SkillScope } from '../registry/layer-skills.js';
import type { PlanUpdate } from './plan.js';

/** A skill, as a model names it. */
export interface ActionSkill {
  readonly name: string;
  readonly source?: SkillScope | undefined;
}

/** What an agent does next; exactly one of them a decision. Field names are those of the protocol. */
export type AgentAction =
  /** Loads the bodies of skills. */
  | { readonly kind: 'select_skills'; readonly skills: readonly ActionSkill[]; readonly reason: string }
  /** Reads a file of an activated skill, or a section of it. */
  | {
      readonly kind: 'load_resource';
      readonly skill: ActionSkill;
      readonly relative_path: string;
      /** A heading: `## Forms`. */
      readonly section_hint?: string | undefined;
      /** The line to begin at, from 1, where an earlier answer was cut. */
      readonly from_line?: number | undefined;
    }
  | {
      readonly kind: 'run_script';
      readonly skill: ActionSkill;
      readonly relative_path: string;
      readonly args: readonly string[];
    }
  | { readonly kind: 'call_tool'; readonly tool: string; readonly input: JsonObject }
  | { readonly kind: 'search_skills'; readonly query: string }
  | { readonly kind: 'disable_skill'; readonly skill: ActionSkill; readonly reason?: string | undefined }
  | { readonly kind: 'enable_skill'; readonly skill: ActionSkill }
  /** Nothing but the plan update that comes with it. */
  | { readonly kind: 'update_plan' }
  | { readonly kind: 'ask_user'; readonly question: string }
  | { readonly kind: 'final_answer'; readonly content: string };

/** What kind of action it is, by its name in the protocol. */
export type AgentActionKind = AgentAction['kind'];

/** What a model decides in one turn. */
export interface Decision {
  readonly action: AgentAction;
  readonly plan_update?: PlanUpdate | undefined;
}
