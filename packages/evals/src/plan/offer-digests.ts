import { canonicalJson, measureSkill, recordable, type Digest, type Sha256, type SkillEntry } from '@skillpack/core';
import type { OfferedSkill } from './case-offer.js';

/** Measures what is offered, each skill once. */
export class OfferDigests {
  readonly #sha256: Sha256;
  readonly #whole = new Map<SkillEntry, Digest>();
  readonly #heads = new Map<SkillEntry, Digest>();

  constructor(sha256: Sha256) {
    this.#sha256 = sha256;
  }

  /** Of all that is offered: a trial of the kind `trigger` sees names and descriptions, and of a task all files count. */
  async of(offered: readonly OfferedSkill[], kind: 'trigger' | 'task'): Promise<Digest> {
    const digests: (readonly [string, Digest])[] = [];
    for (const skill of offered) {
      digests.push([skill.entry.name, kind === 'trigger' ? this.#head(skill.entry) : await this.#measure(skill)]);
    }
    return this.#sha256(canonicalJson(recordable(digests)));
  }

  #head(entry: SkillEntry): Digest {
    const known = this.#heads.get(entry);
    if (known !== undefined) return known;
    const { name, scope, pack, head } = entry;
    const { description, modelInvocable } = head;
    const shown = { name, own: head.name, scope, pack: pack ?? undefined, description, modelInvocable };
    const digest = this.#sha256(canonicalJson(recordable(shown)));
    this.#heads.set(entry, digest);
    return digest;
  }

  async #measure({ entry, of }: OfferedSkill): Promise<Digest> {
    const known = this.#whole.get(entry);
    if (known !== undefined) return known;
    const { digest } = await measureSkill(entry, { registry: of, sha256: this.#sha256 });
    this.#whole.set(entry, digest);
    return digest;
  }
}
