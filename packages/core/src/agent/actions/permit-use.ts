import type { Digest } from '../../digest/is-digest.js';
import { quoted } from '../../errors/quoted.js';
import { SkillsError } from '../../errors/skills-error.js';
import type { ToolUse } from '../../policy/tool-use.js';
import type { SkillEntry } from '../../registry/skill-entry.js';
import type { SkillMeasure } from '../../registry/skill-measure.js';
import { judgeUse } from '../judge-use.js';
import type { RecordedJudgement } from '../run-event.js';
import type { ActionContext, Observation } from '../run-scope.js';
import { approveAction, isGranted, type AskedFor } from './approve-action.js';
import { refusedObservation } from './failed-observation.js';
import { takeMeasure } from './take-measure.js';

/** What is about to be done, as a model wants it. */
export interface WantedUse {
  readonly use: ToolUse;
  /** The skill on whose behalf. */
  readonly entry: SkillEntry | undefined;
  /** What somebody is asked, where that is needed. */
  readonly asked: AskedFor;
  /** Judges the input. @throws `INVALID_INPUT` */
  readonly check?: (() => void) | undefined;
}

/** Whether it may be done now, and with which content of its skill; else what the model is told. */
export type PermittedUse =
  | { readonly permitted: true; readonly digest: Digest | undefined }
  | { readonly permitted: false; readonly observation: Observation };

/**
 * The one way to whatever is more than reading skills. It is judged, then its input is checked, then it is looked at on
 * behalf of what content of a skill it would be done; nobody is asked before that. Whatever it comes to is in the record
 * before anything is done.
 *
 * @throws what the check throws, and what keeps the skill of a script from being measured.
 */
export async function permitUse(wanted: WantedUse, context: ActionContext): Promise<PermittedUse> {
  const { use, entry, asked, check } = wanted;
  const { scope } = context;
  const judgement = judgeUse(use, scope);
  if (judgement.kind === 'refuse') {
    const { by, message, hint, rule, skill } = judgement;
    const shown = rule === undefined ? {} : { rule: quoted(rule, 200).slice(1, -1) };
    await note({ verdict: 'refuse', by, ...shown, ...(skill && { skill }) }, context);
    return { permitted: false, observation: refusedObservation('TOOL_NOT_ALLOWED', message, { hint }) };
  }
  check?.();
  // What a record says was wanted once is asked again, whatever may be done without a question.
  const question = judgement.kind === 'ask' || (context.repeated === true && use.risk !== 'low');
  const measure = entry && (await measureFor(use, { entry, question }, context));
  const digest = measure?.digest;
  if (!question) {
    // Narrowed: what is no question is allowed.
    const { by, skill } = judgement.kind === 'allow' ? judgement : { by: 'configuration' as const };
    await note({ verdict: 'allow', by, ...(skill && { skill }) }, context);
  } else if (isGranted(asked, digest, scope)) await note({ verdict: 'allow', by: 'grant' }, context);
  else {
    const observation = await approveAction({ ...asked, digest }, measure, context);
    if (observation !== undefined) return { permitted: false, observation };
    if (use.action === 'run_script' && entry !== undefined) await checkUnchanged(entry, measure, context);
  }
  // Before anything takes effect, the record says that it was begun: after a crash, somebody has to know.
  if (use.risk !== 'low') await scope.recorder.sync();
  return { permitted: true, digest };
}

async function note(judgement: RecordedJudgement, { scope, id }: ActionContext): Promise<void> {
  await scope.recorder.append(scope.id, { type: 'tool_judged', id, ...judgement });
}

/**
 * What a skill is now. Its scripts are a part of that, and not run where it cannot be told. A tool is none: then a yes to
 * it counts once.
 */
async function measureFor(
  use: ToolUse,
  { entry, question }: { readonly entry: SkillEntry; readonly question: boolean },
  context: ActionContext,
): Promise<SkillMeasure | undefined> {
  if (use.action === 'run_script') return takeMeasure(entry, context);
  if (!question) return undefined;
  try {
    return await takeMeasure(entry, context);
  } catch (error) {
    context.scope.recorder.check();
    if (!SkillsError.is(error)) throw error;
    return undefined;
  }
}

/** While a person thinks, somebody may write. */
async function checkUnchanged(
  entry: SkillEntry,
  measure: SkillMeasure | undefined,
  context: ActionContext,
): Promise<void> {
  const { digest } = await takeMeasure(entry, context);
  if (digest === measure?.digest) return;
  throw new SkillsError('INTEGRITY_MISMATCH', 'The skill was changed while somebody was asked; nothing was run.', {
    hint: 'Read it again, then ask again.',
    data: { expected: measure?.digest, actual: digest },
  });
}
