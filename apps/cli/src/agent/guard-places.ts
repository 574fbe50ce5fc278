import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import type { Sandbox } from '@skillpack/tools-shell';

/**
 * A sandbox in which programs cannot write to certain places of their workspace either: they see them, and no more.
 *
 * @param places absolute. What is not there, or does not lie in the workspace, is not to be guarded.
 */
export function guardPlaces(sandbox: Sandbox, places: readonly string[]): Sandbox {
  return {
    ...sandbox,
    confine: async (program) => {
      const guarded = places.flatMap((place) => placeIn(program.workspace, place));
      const others = guarded.filter((place) => program.shown.every(({ path }) => path !== place));
      return sandbox.confine({
        ...program,
        shown: [...program.shown, ...others.map((path) => ({ path, from: path }))],
      });
    },
  };
}

function placeIn(workspace: string, place: string): readonly string[] {
  const real = realPath(place);
  if (real === undefined) return [];
  const way = relative(realPath(workspace) ?? workspace, real);
  const below = way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
  return below ? [real] : [];
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
