import { randomBytes } from 'node:crypto';
import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { quoted } from '@skillpack/core';
import { canBePlanted } from './protected-places.js';

/** What came to be at the top of a workspace, by names that programs run or trust. */
export interface NewPlaces {
  /**
   * Gives all of it another name, so that nothing is run or trusted, and nothing is lost.
   *
   * @returns what is told of it, in lines; the empty text where there is nothing.
   */
  setAside(): string;
}

/**
 * Remembers which protected names a workspace has. A sandbox cannot keep what is not there from being made; so it is taken
 * away from where it counts once nothing of the program runs any more.
 */
export function watchNewPlaces(workspace: string): NewPlaces {
  const before = new Set(protectedIn(workspace));
  return {
    setAside() {
      const made = protectedIn(workspace).filter((name) => !before.has(name));
      return made.map((name) => `\n${moved(workspace, name)}\n`).join('');
    },
  };
}

function moved(workspace: string, name: string): string {
  const other = `skillpack-set-aside-${randomBytes(4).toString('hex')}-${name.replace(/^\.+/u, '')}`;
  try {
    renameSync(join(workspace, name), join(workspace, other));
    return `${quoted(name)} is now called ${quoted(other)}: programs run or trust what has its name.`;
  } catch {
    return `${quoted(name)} was made, which programs run or trust, and could not be renamed: look at it.`;
  }
}

function protectedIn(workspace: string): readonly string[] {
  try {
    return readdirSync(workspace).filter(canBePlanted);
  } catch {
    // Whoever runs something there is told.
    return [];
  }
}
