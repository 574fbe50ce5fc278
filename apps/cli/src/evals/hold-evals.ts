import { SkillsError } from '@skillpack/core';
import type { ChatStreams } from '../chat/chat-streams.js';
import { renderEvalData } from '../render/render-eval-data.js';
import type { Style } from '../frame/style.js';
import type { EvalData } from './eval-data.js';
import type { EvalFlags } from './eval-options.js';
import { runEvalRound } from './eval-round.js';
import { openEvalSession, type EvalSessionPorts } from './eval-session.js';
import { watchEvals } from './watch-evals.js';

/** What evals are held with, and where rounds after the first are told. */
export interface HoldEvalsPorts extends EvalSessionPorts {
  readonly streams: Pick<ChatStreams, 'terminal' | 'globals'>;
}

/** What evals came to, and how a person is told. */
export interface HeldEvals {
  readonly data: EvalData;
  /** Whether the answer is no. */
  readonly no: boolean;
  render(data: EvalData, style: Style): string;
  /** Settles when nothing is watched any more. @default nothing is */
  readonly until: Promise<void> | undefined;
}

/**
 * Holds evals as a command line says; with `--watch`, again whenever a file changes.
 *
 * @throws as `openEvalSession` and `runEvalRound`.
 */
export async function holdEvals(flags: EvalFlags, ports: HoldEvalsPorts): Promise<HeldEvals> {
  const { terminal, globals } = ports.streams;
  const watched = flags.watch === true;
  if (watched && globals.json) {
    throw new SkillsError('USAGE', '--watch tells one round after another, and --json is one document.', {
      hint: 'Leave one out.',
    });
  }
  const session = await openEvalSession(flags, ports);
  const round = await runEvalRound(session);
  const console = session.choice.reporters.some(({ name }) => name === 'console');
  const render: HeldEvals['render'] = (data, style) => renderEvalData(data, style, { console });
  return {
    data: round.data,
    no: !watched && isNo(round.data),
    render,
    until: watched ? watchEvals(session, round, { terminal, render }) : undefined,
  };
}

/** A part of a whole is judged by what puts the parts together: here, it has to be done. */
function isNo({ verdict, report, shard }: EvalData): boolean {
  return shard === null ? verdict.kind !== 'passed' : report?.verdict.kind === 'incomplete';
}
