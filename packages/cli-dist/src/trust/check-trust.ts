import { SkillsError, type PackName, type PackRequirements, type Revocation } from '@skillpack/core';
import type { InstallWarning } from '../install/install-report.js';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import type { Machine } from '../machine/machine.js';
import type { DraftPlan } from '../plan/draft-plan.js';
import type { Candidate } from '../resolve/candidate.js';
import type { DocumentSource } from '../resolve/document-source.js';

/** What trust is decided with. */
export interface TrustPorts {
  readonly registryFor: PackManagerPorts['registryFor'];
  readonly documents: DocumentSource;
}

/** How far the network may be asked. */
export interface TrustOptions {
  readonly offline: boolean;
  /** Nothing but the lock file is consulted about yanked and deprecated packs. */
  readonly frozen: boolean;
  readonly signal?: AbortSignal | undefined;
}

const askMs = 5_000;

/**
 * Decides whether a plan may be carried out: revoked content is refused, even when it is locked; a withdrawn version
 * that is locked, and a deprecated pack, are told of. A registry that cannot be asked does not stop what is locked.
 *
 * @throws `VERSION_REVOKED`, `INTERRUPTED`.
 */
export async function checkTrust(
  plan: DraftPlan,
  ports: TrustPorts,
  options: TrustOptions,
): Promise<readonly InstallWarning[]> {
  const incoming = [...plan.values()].flatMap((planned) => ('put' in planned ? [planned.candidate] : []));
  if (incoming.length === 0) return [];
  const kept = [...plan.values()].flatMap((planned) => (planned.kind === 'keep' ? [planned.candidate] : []));
  const [warnings] = await Promise.all([
    options.offline ? [] : checkRevocations({ incoming, kept }, ports, options),
    options.offline || options.frozen ? undefined : loadDocuments(incoming, ports),
  ]);
  return [...warnings, ...incoming.flatMap((candidate) => describedWarnings(candidate, ports.documents))];
}

async function checkRevocations(
  { incoming, kept }: { readonly incoming: readonly Candidate[]; readonly kept: readonly Candidate[] },
  ports: TrustPorts,
  options: TrustOptions,
): Promise<readonly InstallWarning[]> {
  const registries = new Set(incoming.filter(isOffered).map(({ name }) => ports.registryFor(name)));
  const warnings: InstallWarning[] = [];
  const revoked = new Map<string, Revocation>();
  await Promise.all(
    [...registries].map(async (registry) => {
      const timeout = AbortSignal.timeout(askMs);
      const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
      try {
        for (const revocation of await registry.getRevocations({ signal })) revoked.set(revocation.digest, revocation);
      } catch (error) {
        if (options.signal?.aborted === true || !isUnavailable(error)) throw error;
        warnings.push({ kind: 'revocations-unchecked', registry: registry.location, reason: (error as Error).message });
      }
    }),
  );
  for (const candidate of incoming) {
    const revocation = revocationOf(candidate, revoked);
    if (revocation !== undefined) throw refused(candidate, revocation);
  }
  for (const candidate of kept) {
    const reason = revocationOf(candidate, revoked)?.reason;
    if (reason !== undefined)
      warnings.push({ kind: 'revoked', name: candidate.name, version: candidate.version, reason });
  }
  return warnings;
}

/** Not reachable, or not in the time it was given. */
function isUnavailable(error: unknown): boolean {
  return SkillsError.isKind(error, 'unavailable') || SkillsError.is(error, 'INTERRUPTED');
}

function isOffered({ source }: Candidate): boolean {
  return source.kind === 'registry';
}

function revocationOf(
  { treeDigest, source }: Candidate,
  revoked: ReadonlyMap<string, Revocation>,
): Revocation | undefined {
  return revoked.get(treeDigest) ?? (source.kind === 'folder' ? undefined : revoked.get(source.integrity));
}

function refused({ name, version, treeDigest }: Candidate, { reason }: Revocation): SkillsError {
  return new SkillsError('VERSION_REVOKED', `${name}@${version} was revoked: ${reason}.`, {
    hint: `Nothing was installed. Ask for another version, or remove it with \`skills uninstall ${name}\`.`,
    data: { name, version, treeDigest, reason },
  });
}

/** Locked packs were resolved without their documents; what these say now is worth a warning, and no failure. */
async function loadDocuments(incoming: readonly Candidate[], { documents }: TrustPorts): Promise<void> {
  try {
    await documents.load(incoming.filter(isOffered).map(({ name }) => name));
  } catch (error) {
    if (!SkillsError.is(error) || SkillsError.is(error, 'INTERRUPTED')) throw error;
  }
}

function describedWarnings({ name, version, source }: Candidate, documents: DocumentSource): readonly InstallWarning[] {
  const known = source.kind === 'registry' ? documents.known.get(name) : undefined;
  if (known === undefined) return [];
  const { head, versions } = known.document;
  const yanked = versions.find((record) => record.version === version)?.yanked ?? null;
  return [
    ...(yanked === null ? [] : [{ kind: 'yanked', name, version, reason: yanked } as const]),
    ...(head.deprecated === null ? [] : [{ kind: 'deprecated', name, reason: head.deprecated } as const]),
  ];
}

/** What a pack requires of the machine and does not find. */
export function unmetRequirements(
  name: PackName,
  requires: PackRequirements,
  machine: Machine,
): readonly InstallWarning[] {
  const { bins = [], env = [], platforms = [] } = requires;
  const programs = bins.filter((program) => !machine.hasProgram(program));
  const variables = env.filter((variable) => !machine.hasVariable(variable));
  const platform = platforms.length > 0 && !platforms.includes(machine.platform);
  return [
    ...programs.map((missing) => ({ kind: 'requires', name, what: 'program', missing }) as const),
    ...variables.map((missing) => ({ kind: 'requires', name, what: 'environment', missing }) as const),
    ...(platform ? [{ kind: 'requires', name, what: 'platform', missing: platforms.join(', ') } as const] : []),
  ];
}
