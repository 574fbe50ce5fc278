import { SkillsError, type PackName } from '@skillpack/core';
import { checkTrust } from '../trust/check-trust.js';
import { findEdits, type SkillEdits } from '../verify/find-edits.js';
import type { InstallWarning } from './install-report.js';
import type { InstallSession } from './install-session.js';
import type { PreparedInstall } from './prepare-install.js';
import type { EditsByPack } from './stage-install.js';

/**
 * Decides whether a prepared install may be carried out.
 *
 * @returns what a person should know.
 * @throws `VERSION_REVOKED`, `FILES_EDITED`.
 */
export async function reviewInstall(
  prepared: PreparedInstall,
  session: InstallSession,
): Promise<readonly InstallWarning[]> {
  const { options, ports, documents } = session;
  const trust = await checkTrust(
    prepared.plan,
    { registryFor: ports.registryFor, documents },
    { offline: options.offline === true, frozen: options.frozen === true, signal: options.signal },
  );
  refuseLosses(prepared, collectEdits(prepared, session), options.replace === true);
  const unlocked = [...prepared.plan].flatMap(([name, planned]) =>
    planned.kind === 'unlocked' ? [{ kind: 'unlocked', name, version: planned.receipt.version } as const] : [],
  );
  return [...trust, ...prepared.links.warnings, ...unlocked];
}

/** What a person made of every installed skill that is to be replaced or removed. */
export function collectEdits({ plan }: PreparedInstall, { paths }: InstallSession): EditsByPack {
  const edits = new Map<PackName, readonly SkillEdits[]>();
  for (const [name, planned] of plan) {
    if (planned.kind === 'update' || planned.kind === 'repair' || planned.kind === 'remove') {
      const touched = new Set([...('put' in planned ? planned.put : []), ...('drop' in planned ? planned.drop : [])]);
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
