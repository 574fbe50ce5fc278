import { SkillsError, type ApprovalRequest, type RunSummary } from '@skillpack/core';
import { someOf } from '../render/some-of.js';
import { approvingCommand, shellLine } from './approving-command.js';
import { roomForMore } from './more-room.js';
import type { OpenQuestion } from './open-question.js';
import { resumingCommand, showCommand, type ResumePlace } from './resume-command.js';

/** A run that waits at a question for a yes. */
export interface WaitingRun {
  readonly summary: RunSummary;
  /** Of its record. */
  readonly folder: string;
  /** Whether the project is trusted: to go on from a record, it has to be. */
  readonly trusted: boolean;
  readonly place: ResumePlace;
}

/**
 * The error for a run that stays open at a question which nobody is there to answer, with the command line that goes on
 * with it and allows exactly that: this tool, for this skill, as its files are now.
 *
 * @param question `undefined` where nobody knows any more what was asked: then the command line asks again.
 */
export function waitsForYes(
  question: OpenQuestion | undefined,
  { summary: run, folder, trusted, place }: WaitingRun,
): SkillsError {
  const { request, otherContent, leaves, never = false } = question ?? {};
  const command = yesCommand(request, { summary: run, place });
  const trust = trusted ? '' : ', and to trust the project';
  const { tool, risk, skill, digest, summary } = request ?? {};
  const confined = leaves === undefined ? {} : { confinement: request?.confinement ?? null, leaves };
  const sentences = [otherContent, freedomOf(question)].filter((sentence) => sentence !== undefined);
  const why = never ? '--approve never says that nobody is asked' : 'nobody can be asked';
  const terminal = never ? 'at a terminal, without --approve never' : 'at a terminal';
  return new SkillsError(
    'APPROVAL_REQUIRED',
    [`The run ${run.id} waits for a yes, and ${why}${whatOf(request)}.`, ...sentences].join(' '),
    {
      hint: `Look at it with \`${showCommand(run.id, place.words)}\`. To be asked, resume it ${terminal}; to allow it${trust}: ${shellLine(command)}`,
      data: { run: run.id, folder, tool, risk, skill, digest, ...confined, summary, command },
    },
  );
}

/** The words of the command line that goes on with a run which waits for a yes, and says it. */
function yesCommand(
  request: ApprovalRequest | undefined,
  { summary, place }: Pick<WaitingRun, 'summary' | 'place'>,
): readonly string[] {
  const [program = '', ...resuming] = resumingCommand(summary.id, place);
  const more = roomForMore(summary);
  return request === undefined ? [program, ...resuming, ...more] : approvingCommand([...resuming, ...more], request);
}

/** What is told of a run that waits for a yes. Not made visible. */
export function howToAllow(question: OpenQuestion | undefined, run: Pick<WaitingRun, 'summary' | 'place'>): string {
  return `It waits for a yes. To allow that: ${shellLine(yesCommand(question?.request, run))}`;
}

/** How many abilities a message has room for. */
const mostNamed = 3;

/** What a program could do that would be started without a sandbox. */
function freedomOf(question: OpenQuestion | undefined): string | undefined {
  if (question?.leaves === undefined || question.request.confinement !== undefined) return undefined;
  const can = question.leaves.length === 0 ? '' : `: ${someOf(question.leaves, mostNamed)}`;
  return `There is no sandbox for it: it could do what you can${can}.`;
}

function whatOf(request: ApprovalRequest | undefined): string {
  if (request === undefined) return '';
  const { action, tool, skill, summary } = request;
  const of = skill === undefined ? '' : ` of the skill ${skill.name}`;
  return action === 'run_script' ? `: ${tool}${of}: ${summary}` : `: ${summary}${of}`;
}
