import type { DescribedPack } from '../author/describe-pack.js';
import type { Style } from '../frame/style.js';
import { renderDescribedPack } from './render-described-pack.js';

/** A pack that was put into a registry, or would be. */
export interface Publication extends DescribedPack {
  readonly registry: string;
  readonly dryRun: boolean;
  /** `false` when this very content was there already. */
  readonly created: boolean;
  /** Whether it was there with files missing or damaged, which are whole again. */
  readonly repaired: boolean;
  /** The tags of the pack afterwards. */
  readonly tags: Readonly<Record<string, string>>;
  /** Those that the publication moved to this version. */
  readonly moved: readonly string[];
}

/** What came of publishing a pack, for people. */
export function renderPublication(publication: Publication, style: Style): string {
  const { registry, dryRun, created, repaired, tags, moved } = publication;
  const { latest } = tags;
  const tagged = moved.length === 0 ? ' without a tag' : ` as ${moved.join(', ')}`;
  const stays =
    moved.length > 0 || latest === undefined
      ? ''
      : ` \`latest\` stays at ${latest}; publishing with \`--tag latest\` would have moved it.`;
  const outcome = dryRun
    ? `Would be published to ${registry}; nothing was sent.`
    : created
      ? `${style.green('✓')} Published to ${registry}${tagged}.${stays}`
      : repaired
        ? `${style.green('✓')} ${registry} had this very content already; what was damaged or missing of it is whole again.`
        : `${registry} has this very content already.`;
  return `${renderDescribedPack(publication, style)}\n${outcome}`;
}
