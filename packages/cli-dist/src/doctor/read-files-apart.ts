import { parseLockFile, parseProjectFile, SkillsError } from '@skillpack/core';
import { readText } from '../disk/read-text.js';
import type { GoverningFiles } from '../lock/root-state.js';
import { recordedWants } from '../plan/wanted-pack.js';
import type { RootPaths } from '../root/root-paths.js';
import { linkFolders } from '../target/agent-folders.js';

const governingBytes = 64 * 1024 * 1024;

/** The governing files as far as they can be read, and why one cannot. */
export interface ExaminedFiles extends GoverningFiles {
  readonly projectProblem: SkillsError | undefined;
  readonly lockProblem: SkillsError | undefined;
}

/** Reads both governing files; one that cannot be read does not keep the other from being read. */
export function readGoverningFilesApart(paths: RootPaths): ExaminedFiles {
  const project = readOne(paths.projectFile, (text) => {
    const parsed = parseProjectFile(text, paths.projectFile);
    linkFolders(parsed.targets ?? [], paths.root.scope);
    recordedWants({ projectText: text, project: parsed, lockText: undefined, lock: undefined }, paths.baseDir);
    return parsed;
  });
  const lock = readOne(paths.lockFile, (text) => parseLockFile(text, paths.lockFile));
  return {
    projectText: project.text,
    project: project.value,
    projectProblem: project.problem,
    lockText: lock.text,
    lock: lock.value,
    lockProblem: lock.problem,
  };
}

interface ReadFile<Value> {
  readonly text: string | undefined;
  readonly value: Value | undefined;
  readonly problem: SkillsError | undefined;
}

function readOne<Value>(path: string, parse: (text: string) => Value): ReadFile<Value> {
  let text: string | undefined;
  try {
    text = readText(path, governingBytes);
    return { text, value: text === undefined ? undefined : parse(text), problem: undefined };
  } catch (error) {
    if (!SkillsError.is(error)) throw error;
    return { text, value: undefined, problem: error };
  }
}
