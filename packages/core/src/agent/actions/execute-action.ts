import type { AgentAction } from '../../model/action.js';
import type { ActionContext, Observation } from '../run-scope.js';
import { callTool } from './call-tool.js';
import { failedObservation } from './failed-observation.js';
import { loadResource } from './load-resource.js';
import { runScript } from './run-script.js';
import { searchForSkills } from './search-for-skills.js';
import { selectSkills } from './select-skills.js';
import { switchSkill } from './switch-skill.js';

/** Actions after which the run goes on. */
export type ContinuingAction = Exclude<AgentAction, { readonly kind: 'final_answer' | 'ask_user' }>;

/** What came of changing the plan, where the decision asked for that. */
export type PlanChange = { readonly kind: 'none' | 'changed' } | { readonly kind: 'refused'; readonly error: unknown };

/**
 * Carries out an action. Whatever goes wrong is something to observe; only a record that cannot be written throws. A plan
 * update that was refused keeps no action from being done: it is told beside what came of it.
 */
export async function executeAction(
  action: ContinuingAction,
  plan: PlanChange,
  context: ActionContext,
): Promise<Observation> {
  if (action.kind === 'update_plan') return updatedPlan(plan, context);
  const observation = await observed(action, context);
  if (plan.kind !== 'refused') return observation;
  const { content } = failedObservation(plan.error, context.scope.recorder);
  return { ...observation, content: `${observation.content}\n\nThe plan was not changed. ${content}` };
}

function updatedPlan(plan: PlanChange, context: ActionContext): Observation {
  if (plan.kind === 'refused') return failedObservation(plan.error, context.scope.recorder);
  return { ok: true, content: 'The plan is changed.', output: {} };
}

async function observed(
  action: Exclude<ContinuingAction, { readonly kind: 'update_plan' }>,
  context: ActionContext,
): Promise<Observation> {
  try {
    return await execute(action, context);
  } catch (error) {
    context.scope.recorder.check();
    return failedObservation(error, context.scope.recorder);
  }
}

async function execute(
  action: Exclude<ContinuingAction, { readonly kind: 'update_plan' }>,
  context: ActionContext,
): Promise<Observation> {
  switch (action.kind) {
    case 'select_skills':
      return selectSkills(action, context);
    case 'load_resource':
      return loadResource(action, context);
    case 'run_script':
      return runScript(action, context);
    case 'call_tool':
      return callTool(action, context);
    case 'search_skills':
      return searchForSkills(action, context);
    case 'disable_skill':
    case 'enable_skill':
      return switchSkill(action, context);
  }
}
