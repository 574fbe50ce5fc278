import type { Activation } from '@skillpack/core';
import { oneLine } from '../render/describe-step.js';

/** The skills that were read so far, each as it was then. */
export class ActivatedSkills {
  readonly #digests = new Map<string, string>();

  /**
   * Takes what was recorded of a skill that was read.
   *
   * @returns what a person is told of one that was read before and was another one then.
   */
  take({ name, location, digest }: Activation): string | undefined {
    const before = this.#digests.get(location);
    this.#digests.set(location, digest);
    if (before === undefined || before === digest) return undefined;
    return `${oneLine(name)} was changed meanwhile, and read anew: ${shortOf(digest)} instead of ${shortOf(before)}`;
  }
}

/** Enough of a digest to compare it with another one. */
function shortOf(digest: string): string {
  return digest.slice(0, 'sha256:'.length + 12);
}
