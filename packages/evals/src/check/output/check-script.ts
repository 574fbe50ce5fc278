import { checkAborted, SkillsError } from '@skillpack/core';
import type { OutputCheck } from '../../case/expectations.js';
import type { CheckPorts } from '../check-ports.js';
import { shortText } from '../short-text.js';
import { unknown, type OutputVerdict } from './output-verdict.js';

/** What a script of a suite is run with. */
export interface ScriptPlace extends Pick<CheckPorts, 'runCheck'> {
  readonly answer: string;
  readonly signal: AbortSignal;
}

/** A program of the suite ends with 0. What keeps it from being run at all says nothing of the trial. */
export async function checkScript(
  { script, args }: OutputCheck & { readonly kind: 'script' },
  { runCheck, answer, signal }: ScriptPlace,
): Promise<OutputVerdict> {
  if (runCheck === undefined) return unknown('Scripts of a suite are not run here.');
  try {
    const { exitCode, output } = await runCheck({ script, args, answer }, { signal });
    const ending = exitCode === undefined ? 'It was ended by a signal.' : `It ended with exit code ${exitCode}.`;
    return {
      holds: exitCode === 0,
      evidence: output.trim() === '' ? ending : `${ending}\n${shortText(output.trim(), 1_500)}`,
    };
  } catch (error) {
    checkAborted(signal, 'The check by a script');
    if (!SkillsError.is(error) || error.code === 'INTERRUPTED') throw error;
    return unknown(`It could not be run: ${error.message}`);
  }
}
