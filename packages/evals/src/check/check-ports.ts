import type { Judge } from '../judge/judge.js';
import type { EvalWorkspace, OpenGround } from '../trial/eval-ports.js';

/** What checks are made with. */
export interface CheckPorts {
  /** As it is at the end. @default none: checks of files are not judged */
  readonly workspace?: EvalWorkspace | undefined;
  /** @default scripts of a suite are not run: such checks are not judged */
  readonly runCheck?: OpenGround['runCheck'];
  /** @default nobody judges: rubrics are not judged */
  readonly judge?: Judge | undefined;
}
