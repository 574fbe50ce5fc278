import { SkillsError, type PackName, type PackRegistry, type Revocation } from '@skillpack/core';
import type { InstallWarning } from '../install/install-report.js';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import type { RevocableContent } from './revocation-notes.js';

/** Content that is asked about. */
export interface AskedContent extends RevocableContent {
  /** Whether a registry offers it: that one is asked. What others revoke counts too. */
  readonly offered: boolean;
}

/** What registries say of content. */
export interface RevocationAnswer {
  /** The packs of which it is known now whether they are revoked. */
  readonly asked: ReadonlySet<PackName>;
  readonly revoked: ReadonlyMap<PackName, Revocation>;
  /** Registries that could not be asked. */
  readonly unchecked: readonly Extract<InstallWarning, { kind: 'revocations-unchecked' }>[];
}

const askMs = 5_000;

/**
 * Asks the registries that content comes from what they have revoked. One that cannot be reached in time is told of.
 *
 * @throws what a registry throws that answers wrongly, `INTERRUPTED`.
 */
export async function askRevocations(
  contents: readonly AskedContent[],
  { registryFor }: Pick<PackManagerPorts, 'registryFor'>,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<RevocationAnswer> {
  const registries = new Set(contents.filter(({ offered }) => offered).map(({ name }) => registryFor(name)));
  const answered = new Set<PackRegistry>();
  const unchecked: Extract<InstallWarning, { kind: 'revocations-unchecked' }>[] = [];
  const byDigest = new Map<string, Revocation>();
  await Promise.all(
    [...registries].map(async (registry) => {
      const timeout = AbortSignal.timeout(askMs);
      const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
      try {
        for (const revocation of await registry.getRevocations({ signal })) byDigest.set(revocation.digest, revocation);
        answered.add(registry);
      } catch (error) {
        if (options.signal?.aborted === true || !isUnavailable(error)) throw error;
        const reason = (error as Error).message; // a SkillsError is an Error
        unchecked.push({ kind: 'revocations-unchecked', registry: registry.location, reason });
      }
    }),
  );
  const revoked = new Map<PackName, Revocation>();
  for (const { name, treeDigest, integrity } of contents) {
    const revocation = byDigest.get(treeDigest) ?? (integrity === undefined ? undefined : byDigest.get(integrity));
    if (revocation !== undefined) revoked.set(name, revocation);
  }
  const told = contents.filter(({ name, offered }) => offered && answered.has(registryFor(name)));
  return { asked: new Set([...revoked.keys(), ...told.map(({ name }) => name)]), revoked, unchecked };
}

/** Not reachable, or not in the time it was given. */
function isUnavailable(error: unknown): boolean {
  return SkillsError.isKind(error, 'unavailable') || SkillsError.is(error, 'INTERRUPTED');
}
