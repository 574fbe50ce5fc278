import { SkillsError, type PackName, type PackRequirements } from '@skillpack/core';
import type { InstallWarning } from '../install/install-report.js';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import type { Machine } from '../machine/machine.js';
import type { DraftPlan } from '../plan/draft-plan.js';
import type { Candidate } from '../resolve/candidate.js';
import type { DocumentSource } from '../resolve/document-source.js';
import { askRevocations, type AskedContent } from './ask-revocations.js';
import type { RevocationNotes } from './revocation-notes.js';

/** What trust is decided with. */
export interface TrustPorts {
  readonly registryFor: PackManagerPorts['registryFor'];
  readonly documents: DocumentSource;
  /** What was answered before. */
  readonly notes: RevocationNotes;
}

/** How far the network may be asked. */
export interface TrustOptions {
  readonly offline: boolean;
  /** Nothing but the lock file is consulted about yanked and deprecated packs. */
  readonly frozen: boolean;
  /** Nothing is written down. */
  readonly dryRun: boolean;
  readonly signal?: AbortSignal | undefined;
}

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
  const kept = [...plan.values()].flatMap((planned) => (planned.kind === 'keep' ? [planned.candidate] : []));
  // What needs no network asks nobody, and goes by what was answered before.
  const asks = !options.offline && (incoming.length > 0 || ports.documents.known.size > 0);
  const [answer] = await Promise.all([
    asks ? askRevocations([...incoming, ...kept].map(contentOf), ports, options) : undefined,
    options.offline || options.frozen ? undefined : loadDocuments(incoming, ports),
  ]);
  const reasonAgainst = (candidate: Candidate): string | undefined =>
    answer?.asked.has(candidate.name) === true
      ? answer.revoked.get(candidate.name)?.reason
      : ports.notes.reasonAgainst(contentOf(candidate));
  for (const candidate of incoming) {
    const reason = reasonAgainst(candidate);
    if (reason !== undefined) throw refused(candidate, reason);
  }
  if (answer !== undefined && !options.dryRun) ports.notes.update([...answer.asked], answer.revoked);
  const revoked = kept.flatMap((candidate) => {
    const { name, version } = candidate;
    const reason = reasonAgainst(candidate);
    return reason === undefined ? [] : [{ kind: 'revoked', name, version, reason } as const];
  });
  const described = incoming.flatMap((candidate) => describedWarnings(candidate, ports.documents));
  return [...(answer?.unchecked ?? []), ...revoked, ...described];
}

function contentOf({ name, treeDigest, source }: Candidate): AskedContent {
  const integrity = source.kind === 'folder' ? undefined : source.integrity;
  return { name, treeDigest, integrity, offered: source.kind === 'registry' };
}

function refused({ name, version, treeDigest }: Candidate, reason: string): SkillsError {
  return new SkillsError('VERSION_REVOKED', `${name}@${version} was revoked: ${reason}.`, {
    hint: `Nothing was installed. Ask for another version, or remove it with \`skills uninstall ${name}\`.`,
    data: { name, version, treeDigest, reason },
  });
}

/** Locked packs were resolved without their documents; what these say now is worth a warning, and no failure. */
async function loadDocuments(incoming: readonly Candidate[], { documents }: TrustPorts): Promise<void> {
  try {
    await documents.load(incoming.filter(({ source }) => source.kind === 'registry').map(({ name }) => name));
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
