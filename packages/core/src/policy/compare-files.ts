import type { TreeFile } from '../digest/tree-digest.js';
import { visibleText } from '../errors/visible-text.js';
import type { SkillChanges } from './approver.js';

/** How many paths of each kind are named. */
const mostNamed = 50;

/** How the files of a skill differ from what they were. */
export function compareFiles(before: readonly TreeFile[], after: readonly TreeFile[]): SkillChanges {
  const were = new Map(before.map((file) => [file.path, file]));
  const are = new Set(after.map(({ path }) => path));
  const added = after.filter(({ path }) => !were.has(path));
  const removed = before.filter(({ path }) => !are.has(path));
  const changed = after.filter((file) => {
    const other = were.get(file.path);
    return other !== undefined && (other.digest !== file.digest || other.executable !== file.executable);
  });
  const kinds = [added, removed, changed];
  const more = kinds.reduce((sum, files) => sum + Math.max(0, files.length - mostNamed), 0);
  const [addedPaths = [], removedPaths = [], changedPaths = []] = kinds.map((files) =>
    files.slice(0, mostNamed).map(({ path }) => visibleText(path)),
  );
  const named = { added: addedPaths, removed: removedPaths, changed: changedPaths };
  return more === 0 ? named : { ...named, more };
}
