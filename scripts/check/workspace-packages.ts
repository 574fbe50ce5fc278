import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A package of the workspace that is published. */
export interface WorkspacePackage {
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** The names of its entry points and their declaration files, absolute; empty for a program. */
  readonly entryPoints: readonly { readonly name: string; readonly declarations: string }[];
}

interface PackageJson {
  readonly name: string;
  readonly private?: boolean;
  /** A string is a file as it lies there, such as a schema. */
  readonly exports?: Readonly<Record<string, string | { readonly types: string }>>;
}

/** Reads the published packages of the workspace, in the order of their names: the named ones, or all when none is named. */
export async function readWorkspacePackages(
  root: string,
  names: readonly string[],
): Promise<readonly WorkspacePackage[]> {
  const packages: WorkspacePackage[] = [];
  for await (const path of glob('{packages,apps}/*/package.json', { cwd: root })) {
    const folder = join(root, dirname(path));
    // Our own manifests, which sherif and publint judge.
    const json = JSON.parse(await readFile(join(root, path), 'utf8')) as PackageJson;
    if (json.private === true || (names.length > 0 && !names.includes(json.name))) continue;
    const entryPoints = Object.entries(json.exports ?? {}).flatMap(([key, target]) =>
      typeof target === 'string'
        ? []
        : [{ name: key === '.' ? 'index' : key.slice('./'.length), declarations: join(folder, target.types) }],
    );
    packages.push({ name: json.name, folder, entryPoints });
  }
  return packages.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
