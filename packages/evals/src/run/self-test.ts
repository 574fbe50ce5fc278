import type { EvalSuite } from '../case/eval-case.js';
import type { EvalPorts } from '../trial/eval-ports.js';
import type { EvalExecutor } from './eval-executor.js';

/** What is tested: everything that evals are run with, but the models and the log. */
export type SelfTestPorts = Pick<EvalPorts, 'registry' | 'ground' | 'clock' | 'sha256'>;

/** How it is tested. */
export interface SelfTestOptions {
  readonly signal?: AbortSignal | undefined;
  /** The one that the evals are to be run by. @default in this process */
  readonly executor?: EvalExecutor | undefined;
}

/**
 * Something that is wrong with what measures, or with a case.
 *
 * - `not_offered`: a case wants a skill that it does not offer, or forbids one: no model can do it, or fail it;
 * - `recall`, `specificity`: a model that always or never chooses comes to another number than 1 or 0;
 * - `dead_scored`: a model that never answers got a score;
 * - `body_shown`: a model was told from the text of a skill before it chose;
 * - `lost`: a trial has no result, or two.
 */
export interface SelfTestFinding {
  readonly kind: 'not_offered' | 'recall' | 'specificity' | 'dead_scored' | 'body_shown' | 'lost';
  /** In a sentence. */
  readonly message: string;
  /** @default it is about all of them */
  readonly suite?: string | undefined;
  readonly case?: string | undefined;
}

/** What a self-test came to. */
export interface SelfTestReport {
  /** Whether there is no finding. */
  readonly passed: boolean;
  readonly findings: readonly SelfTestFinding[];
  /** How many cases of the kind `trigger` were tried; with 0, it says nothing. */
  readonly cases: number;
}

/**
 * Tries what measures triggering before anything is spent: three models that need no network, one that always chooses what
 * a case is about, one that never chooses, and one that is dead, go through the very same trials as real ones. The first
 * has to come to a recall of 1 and a specificity of 0, the second to the opposite, and of the third nothing may be scored.
 *
 * @throws what the executor throws; `INTERRUPTED`.
 */
export async function selfTest(
  suites: readonly EvalSuite[],
  ports: SelfTestPorts,
  options: SelfTestOptions = {},
): Promise<SelfTestReport> {
  void suites;
  void ports;
  void options;
  throw new Error('not yet');
}
