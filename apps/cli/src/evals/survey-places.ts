import { readdirSync, statSync, type Dirent } from 'node:fs';
import { join } from 'node:path';

/** What is looked at. */
export interface SurveyedPlaces {
  /** Folders with all that lies below them, absolute. */
  readonly folders: readonly string[];
  /** Files, and folders of which the names in them count, absolute. */
  readonly files: readonly string[];
  /** A folder that counts for nothing, wherever it lies. */
  readonly ignored: string;
}

const skipped = new Set(['node_modules', '.git', '__pycache__']);
/** More files than that are not looked at. */
const mostFiles = 20_000;

/** A text that is another one where a file is there, is gone, or was written since. */
export function surveyPlaces({ folders, files, ignored }: SurveyedPlaces): string {
  const seen: string[] = [];
  for (const path of files) {
    seen.push(stateOf(path));
    for (const entry of entriesOf(path)) seen.push(join(path, entry.name));
  }
  const left = [...folders];
  for (let folder = left.pop(); folder !== undefined && seen.length < mostFiles; folder = left.pop()) {
    if (folder === ignored) continue;
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !skipped.has(entry.name)) left.push(path);
      else if (entry.isFile()) seen.push(stateOf(path));
    }
  }
  return seen.join('\n');
}

function stateOf(path: string): string {
  try {
    const stats = statSync(path);
    // The time of a folder changes by what is made in it and gone again.
    return stats.isFile() ? `${path} ${stats.mtimeMs} ${stats.size} ${stats.ino}` : path;
  } catch {
    // It is gone: that is what is told.
    return `${path} gone`;
  }
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  } catch {
    // A file has no entries, and a folder that is gone has none, either.
    return [];
  }
}
