import { join } from 'node:path';
import { SkillsError, type PackName } from '@skillpack/core';
import { standingAt, type Standing } from '../apply/standing.js';
import { checkPlaces, skillsAfter, touchedSkills } from '../plan/draft-plan.js';
import { listRoot } from '../root/list-root.js';
import { checkTrust } from '../trust/check-trust.js';
import { RevocationNotes } from '../trust/revocation-notes.js';
import { findEdits, type SkillEdits } from '../verify/find-edits.js';
import { listUnowned } from '../verify/list-unowned.js';
import type { InstallWarning } from './install-report.js';
import type { InstallSession } from './install-session.js';
import { placesOf, type PreparedInstall } from './prepare-install.js';
import type { EditsByPack } from './stage-install.js';

/** What a prepared install was judged on. */
export interface InstallReview {
  /** What a person should know. */
  readonly warnings: readonly InstallWarning[];
  readonly edits: EditsByPack;
  /** What stood at every place that is to be changed, before anything about it was judged. */
  readonly judged: ReadonlyMap<string, Standing | undefined>;
}

/**
 * Decides whether a prepared install may be carried out.
 *
 * @throws `VERSION_REVOKED`, `FOLDER_NOT_OWNED`, `FILES_EDITED`.
 */
export async function reviewInstall(prepared: PreparedInstall, session: InstallSession): Promise<InstallReview> {
  const { options, ports, documents } = session;
  const trust = await checkTrust(
    prepared.plan,
    { registryFor: ports.registryFor, documents, notes: new RevocationNotes(session.paths) },
    {
      offline: options.offline === true,
      frozen: options.frozen === true,
      dryRun: options.dryRun === true,
      signal: options.signal,
    },
  );
  const judged = standings(prepared, session);
  checkPlaces(prepared.plan, placesOf([...prepared.plan.values()].flatMap(touchedSkills), session.paths));
  const edits = collectEdits(prepared, session);
  refuseLosses(prepared, edits, options.replace === true);
  const unlocked = [...prepared.plan].flatMap(([name, planned]) =>
    planned.kind === 'unlocked' ? [{ kind: 'unlocked', name, version: planned.receipt.version } as const] : [],
  );
  const shadowed = await shadowedSkills(prepared, session);
  const { warnings } = prepared.links;
  return { warnings: [...trust, ...warnings, ...unlocked, ...editedPacks(prepared), ...shadowed], edits, judged };
}

/** Skills that a folder of nobody's stands in for, once the install is done. */
async function shadowedSkills(
  { plan }: PreparedInstall,
  { paths: { skillsDir } }: InstallSession,
): Promise<readonly InstallWarning[]> {
  const packs = [...plan].map(([name, planned]) => ({ name, skills: skillsAfter(planned) }));
  const entries = new Set([...listRoot(skillsDir), ...packs.flatMap(({ skills }) => skills)]);
  if (listUnowned(entries, packs).every((entry) => entry === '.skillpack')) return [];
  // What reads skills is loaded where there is something to read.
  const { findShadows } = await import('../verify/find-shadows.js');
  return findShadows({ skillsDir, entries }, packs).map(({ path, skill, pack }) => ({
    kind: 'shadowed',
    name: pack,
    skill,
    path: join(skillsDir, path),
  }));
}

/** Packs that stay as they are, and are not what was installed. */
function editedPacks({ plan, edits }: PreparedInstall): readonly InstallWarning[] {
  return [...plan].flatMap(([name, planned]) => {
    const files = planned.kind === 'keep' ? (edits.get(name) ?? []).flatMap(({ edited }) => edited) : [];
    return planned.kind === 'keep' && files.length > 0
      ? [{ kind: 'edited', name, version: planned.candidate.version, files } as const]
      : [];
  });
}

function standings({ plan }: PreparedInstall, { paths }: InstallSession): InstallReview['judged'] {
  const places = [...plan].flatMap(([name, planned]) => [...touchedSkills(planned), `.skillpack/${name}`]);
  return new Map(places.map((place) => [place, standingAt(join(paths.skillsDir, place))]));
}

/** What a person made of every installed skill that is to be replaced or removed. */
function collectEdits({ plan }: PreparedInstall, { paths }: InstallSession): EditsByPack {
  const edits = new Map<PackName, readonly SkillEdits[]>();
  for (const [name, planned] of plan) {
    if (planned.kind === 'update' || planned.kind === 'repair' || planned.kind === 'remove') {
      const touched = new Set(touchedSkills(planned));
      const skills = planned.receipt.skills.filter((skill) => touched.has(skill));
      edits.set(name, findEdits({ name, skills }, paths));
    }
  }
  return edits;
}

/** Files that a person edited and that a new version takes the place of; those of skills that go stay where they are. */
export function filesToBackUp({ plan }: PreparedInstall, edits: EditsByPack): readonly string[] {
  return [...edits].flatMap(([name, skills]) => {
    const planned = plan.get(name);
    const put = planned !== undefined && 'put' in planned ? planned.put : [];
    return skills.filter(({ skill }) => put.includes(skill)).flatMap(({ edited }) => edited);
  });
}

function refuseLosses(prepared: PreparedInstall, edits: EditsByPack, replace: boolean): void {
  const files = filesToBackUp(prepared, edits);
  const [first] = files;
  if (replace || first === undefined) return;
  const more = files.length === 1 ? '' : ` and ${files.length - 1} more`;
  throw new SkillsError(
    'FILES_EDITED',
    `${first}${more} would be lost: edited or added since the skill was installed.`,
    {
      hint: 'Run it again with --replace to have them moved to a backup first.',
      data: { files: files.slice(0, 1000), count: files.length },
    },
  );
}
