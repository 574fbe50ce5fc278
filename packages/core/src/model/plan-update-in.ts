import { fieldsOf, isGiven, sameJson, type Fields } from './fields.js';

/** What of an answer changes the plan. */
export interface WrittenUpdate {
  /** In the form of the protocol as far as it could be brought into it; `undefined` where there is none. */
  readonly value: unknown;
  /** Whether it was written in another form or another place. */
  readonly changed: boolean;
  /** Why it has more than one meaning. */
  readonly unclear?: string | undefined;
}

/**
 * The update of the plan in an answer, whichever of its objects holds it: none is left out, so two that differ are
 * unclear, and what cannot be understood stays as it is, for the schema to judge.
 *
 * @param holders the object of the decision first.
 */
export function planUpdateIn(holders: readonly Fields[]): WrittenUpdate {
  const [first, ...others] = holders.flatMap((holder, index) =>
    updatesOf(holder).map((update) => ({ ...update, changed: update.changed || index > 0 })),
  );
  if (first === undefined) return { value: undefined, changed: false };
  if (others.every(({ value }) => sameJson(value, first.value))) return first;
  return { ...first, unclear: 'it changes the plan in two ways; write one plan_update' };
}

function updatesOf(holder: Fields): readonly WrittenUpdate[] {
  const { plan_update: update, planUpdate: other, plan, operations, steps } = holder;
  return [
    ...(isGiven(update) ? [tidyUpdate(update)] : []),
    ...(isGiven(other) ? [{ ...tidyUpdate(other), changed: true }] : []),
    ...(isGiven(plan) ? [replacedBy(plan)] : []),
    ...(isGiven(operations) ? [patchedBy(operations)] : []),
    ...(isGiven(steps) ? [replacedBy(planOf(holder))] : []),
  ];
}

function tidyUpdate(written: unknown): WrittenUpdate {
  if (Array.isArray(written)) return patchedBy(written);
  const update = fieldsOf(written);
  if (update === undefined) return { value: written, changed: false };
  const { kind, plan, operations } = update;
  if (isGiven(plan) && isGiven(operations)) {
    const unclear = 'plan_update holds a plan and operations; write one of them';
    return { value: written, changed: false, unclear };
  }
  if (isGiven(plan) && (!isGiven(kind) || kind === 'replace')) {
    const tidy = tidyPlan(plan);
    return { value: { kind: 'replace', plan: tidy.value }, changed: tidy.changed || kind !== 'replace' };
  }
  if (isGiven(kind)) return { value: written, changed: false };
  if (isGiven(operations)) return patchedBy(operations);
  return isGiven(update['steps']) ? replacedBy(planOf(update)) : { value: written, changed: false };
}

function patchedBy(operations: unknown): WrittenUpdate {
  return { value: { kind: 'patch', operations }, changed: true };
}

function replacedBy(plan: unknown): WrittenUpdate {
  return { value: { kind: 'replace', plan: tidyPlan(plan).value }, changed: true };
}

function planOf({ goal, steps, assumptions, constraints }: Fields): Fields {
  return { goal, steps, assumptions, constraints };
}

function tidyPlan(written: unknown): WrittenUpdate {
  const plan = fieldsOf(written);
  if (plan === undefined) return { value: written, changed: false };
  const { assumptions, constraints } = plan;
  if (isGiven(assumptions) && isGiven(constraints)) return { value: plan, changed: false };
  return { value: { ...plan, assumptions: assumptions ?? [], constraints: constraints ?? {} }, changed: true };
}
