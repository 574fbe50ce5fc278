import { SkillsError, type ErrorCode, type ModelAdapter } from '@skillpack/core';

/** How models stand in for each other. */
export interface FallbackOptions {
  /** @default `fallback:` and the names of the models, with commas */
  readonly name?: string | undefined;
  /**
   * Codes, besides those of what cannot be reached now, after which the next model is asked: `UNAUTHORIZED`,
   * `MODEL_NOT_FOUND`, `MODEL_REFUSED` (also for an answer whose `finish` is `refused`), `CONTEXT_TOO_LONG`, and others.
   *
   * @default []
   */
  readonly alsoOn?: readonly ErrorCode[] | undefined;
  /**
   * Whether pieces of text are held back until the answer is whole, so that a model that breaks off in the middle can be
   * replaced, too. Else its failure is that of the call, since what was told cannot be taken back. @default false
   */
  readonly buffer?: boolean | undefined;
  /** Told when the next model is asked. @default nobody is told */
  readonly onFallback?:
    | ((event: { readonly from: string; readonly to: string; readonly error: SkillsError }) => void)
    | undefined;
}

/** The first of several models that answers. @throws `USAGE` for none, or where they do not take tools the same way. */
export function fallback(models: readonly ModelAdapter[], _options: FallbackOptions = {}): ModelAdapter {
  throw new SkillsError('INTERNAL', `${models.length} models cannot be asked yet.`);
}
