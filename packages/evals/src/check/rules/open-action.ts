import type { Activation, RecordedApproval, RunEvent } from '@skillpack/core';

/** An event of one type. */
export type EventOf<Type extends RunEvent['type']> = RunEvent & { readonly type: Type };

/** An action that was begun, with all that the record says of it so far. */
export interface OpenAction {
  readonly started: EventOf<'action_started'>;
  /** Of its run, when it was begun. */
  readonly activations: readonly Activation[];
  /** The skill that brought the tool, where one did. */
  readonly broughtBy: Activation | undefined;
  /** What it was asked with, where somebody was. */
  asked?: RecordedApproval;
  /** The last word on whether it may be done. */
  judged?: EventOf<'tool_judged'> | EventOf<'approval_decided'>;
  /** Of a selection: the skills that it activated, each with the event. */
  readonly activated: { readonly activation: Activation; readonly seq: number }[];
  observed?: EventOf<'observation_recorded'>;
}

/** Whether somebody, or a rule, let it be done. */
export function isPermitted({ judged }: OpenAction): boolean {
  if (judged === undefined) return false;
  return judged.type === 'tool_judged' ? judged.verdict === 'allow' : judged.decision.kind === 'approved';
}
