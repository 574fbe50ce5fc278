import { SkillsError } from '@skillpack/core';
import { advisedRefusal } from '../doctor/advised-refusal.js';
import { changeInstalled } from '../install/install-packs.js';
import type { UpdateOptions, UpdateRequest } from '../install/install-options.js';
import type { InstallReport } from '../install/install-report.js';
import type { PackManagerPorts } from '../install/pack-manager-ports.js';
import { readGoverningFiles, readInstalled } from '../lock/root-state.js';
import { rootPaths } from '../root/root-paths.js';
import { nearestText } from '../text/nearest-text.js';

/**
 * Moves installed packs to the newest versions that everything that wants them allows. Promises what `installPacks`
 * promises.
 *
 * @throws `PACK_NOT_INSTALLED` for a name that is not here, and what `installPacks` throws.
 */
export async function updatePacks(
  request: UpdateRequest,
  ports: PackManagerPorts,
  options: UpdateOptions = {},
): Promise<InstallReport> {
  const { root, names } = request;
  try {
    checkNames(request);
  } catch (error) {
    throw SkillsError.is(error) ? await advisedRefusal(error, { root }) : error;
  }
  const moving = names.length === 0 ? ('all' as const) : new Set(names);
  return changeInstalled({ root, aim: { specs: [], from: root.baseDir, moving } }, ports, {
    ...options,
    frozen: false,
  });
}

function checkNames({ root, names }: UpdateRequest): void {
  const paths = rootPaths(root);
  const { lock, project } = readGoverningFiles(paths);
  const here = new Set<string>([
    ...Object.keys(lock?.packs ?? {}),
    ...Object.keys(project?.packs ?? {}),
    ...readInstalled(paths).receipts.keys(),
  ]);
  const missing = names.find((name) => !here.has(name));
  if (missing === undefined) return;
  const nearest = nearestText(missing, [...here]);
  throw new SkillsError('PACK_NOT_INSTALLED', `The pack ${missing} is not installed here.`, {
    hint: nearest === undefined ? `Install it with \`skills install ${missing}\`.` : `Did you mean ${nearest}?`,
    data: { name: missing },
  });
}
