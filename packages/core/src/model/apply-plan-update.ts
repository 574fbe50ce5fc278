import { quoted } from '../errors/quoted.js';
import { SkillsError } from '../errors/skills-error.js';
import type { Plan, PlanOperation, PlanStep, PlanUpdate } from './plan.js';
import { maxPlanSteps } from './plan-schema.js';

/**
 * The plan after an update. Of a patch either all operations are made, in their order, or none.
 *
 * @param plan the present one; `undefined` before there is one.
 * @throws `INVALID_ACTION` for a patch without a plan, an id that is not there (the message names those that are), an
 * id that is there twice, and more steps than a plan may have.
 */
export function applyPlanUpdate(plan: Plan | undefined, update: PlanUpdate): Plan {
  if (update.kind === 'replace') return checked(update.plan);
  if (plan === undefined) {
    throw refused('There is no plan yet that could be patched.', 'Send the whole plan: plan_update.kind “replace”.');
  }
  return checked(update.operations.reduce(applyOperation, plan));
}

function applyOperation(plan: Plan, operation: PlanOperation, index: number): Plan {
  const where = `plan_update.operations.${index}`;
  switch (operation.op) {
    case 'add_step':
      if (plan.steps.some(({ id }) => id === operation.step.id)) {
        throw refused(
          `${where} adds a step ${quoted(operation.step.id, 64)}, which is there already.`,
          'Nothing of the plan was changed. Give the step another id, or change the one that is there.',
        );
      }
      return { ...plan, steps: inserted(plan.steps, operation.step, { after: operation.after, where }) };
    case 'remove_step':
      return { ...plan, steps: plan.steps.toSpliced(indexOf(plan.steps, operation.id, where), 1) };
    case 'move_step': {
      if (operation.after === operation.id) {
        throw refused(
          `${where} would put the step ${quoted(operation.id, 64)} after itself.`,
          'Nothing of the plan was changed. Name another step in `after`, or null for the beginning.',
        );
      }
      const from = indexOf(plan.steps, operation.id, where);
      const [step] = plan.steps.slice(from, from + 1);
      // indexOf has found it.
      if (step === undefined) return plan;
      return { ...plan, steps: inserted(plan.steps.toSpliced(from, 1), step, { after: operation.after, where }) };
    }
    case 'set_status':
      return { ...plan, steps: changed(plan.steps, operation, where) };
    case 'set_title':
      return { ...plan, steps: changed(plan.steps, operation, where) };
    case 'set_goal':
      return { ...plan, goal: operation.goal };
    case 'set_assumptions':
      return { ...plan, assumptions: operation.assumptions };
    case 'set_constraints':
      return { ...plan, constraints: operation.constraints };
  }
}

interface Place {
  readonly after: string | null | undefined;
  readonly where: string;
}

function inserted(steps: readonly PlanStep[], step: PlanStep, { after, where }: Place): readonly PlanStep[] {
  if (after === undefined) return [...steps, step];
  return steps.toSpliced(after === null ? 0 : indexOf(steps, after, where) + 1, 0, step);
}

function changed(
  steps: readonly PlanStep[],
  { id, ...change }: { readonly id: string } & Partial<PlanStep> & { readonly op: string },
  where: string,
): readonly PlanStep[] {
  const at = indexOf(steps, id, where);
  const { op: _, ...fields } = change;
  return steps.map((step, index) => (index === at ? { ...step, ...fields } : step));
}

function indexOf(steps: readonly PlanStep[], id: string, where: string): number {
  const index = steps.findIndex((step) => step.id === id);
  if (index !== -1) return index;
  const there = steps.map((step) => quoted(step.id, 64)).join(', ');
  throw refused(
    `${where} names the step ${quoted(id, 64)}, which is not in the plan; ${there === '' ? 'it has no steps' : `its steps are ${there}`}.`,
    'Nothing of the plan was changed. Name a step that is there, or add it first.',
  );
}

function checked(plan: Plan): Plan {
  if (plan.steps.length > maxPlanSteps) {
    throw refused(
      `The plan would have ${plan.steps.length} steps; at most ${maxPlanSteps} are kept.`,
      'Put small steps together, or remove those that are done.',
    );
  }
  const seen = new Set<string>();
  for (const { id } of plan.steps) {
    if (seen.has(id))
      throw refused(`The plan would have two steps with the id ${quoted(id, 64)}.`, 'Give each step an id of its own.');
    seen.add(id);
  }
  return plan;
}

function refused(message: string, hint: string): SkillsError {
  return new SkillsError('INVALID_ACTION', message, { hint });
}
