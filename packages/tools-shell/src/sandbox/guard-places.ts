import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import type { Sandbox } from './sandbox.js';

/**
 * A sandbox in which programs cannot write to certain places of their workspace either: they see them, and no more.
 *
 * @param places absolute, asked for at each start. What is not there, or does not lie in the workspace, is not guarded.
 */
export function guardPlaces(sandbox: Sandbox, places: () => readonly string[]): Sandbox {
  return {
    ...sandbox,
    confine: async (program) => {
      const guarded = new Set(expectPlaces(places()).flatMap((place) => placeIn(program.workspace, place)));
      const others = [...guarded].filter((place) => program.shown.every(({ path }) => path !== place));
      return sandbox.confine({
        ...program,
        shown: [...program.shown, ...others.map((path) => ({ path, from: path }))],
      });
    },
  };
}

/** @throws `USAGE`: a relative path would be that of another folder than whoever wrote it had in mind. */
function expectPlaces(places: readonly string[]): readonly string[] {
  const relativePlace = places.find((place) => !isAbsolute(place));
  if (relativePlace === undefined) return places;
  throw new SkillsError('USAGE', `The protected place ${quoted(relativePlace)} is not an absolute path.`, {
    hint: 'Resolve it against the folder it is relative to.',
  });
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
