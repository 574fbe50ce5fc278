import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * The names of all that is installed with a package, what its dependencies depend on too. Of peers that need not be there
 * the names alone: who has them has them for another reason.
 */
export function dependenciesOf(folder: string): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const open = [realpathSync(folder)];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    // A manifest that npm took.
    const manifest = JSON.parse(readFileSync(join(next, 'package.json'), 'utf8')) as Manifest;
    const peers = manifest.peerDependencies ?? {};
    const needed = { ...manifest.dependencies, ...manifest.optionalDependencies, ...peers };
    for (const name of Object.keys(needed)) {
      names.add(name);
      if (manifest.peerDependenciesMeta?.[name]?.optional === true) continue;
      const found = installedAt(name, next);
      if (found !== undefined) open.push(found);
    }
  }
  return names;
}

function installedAt(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return realpathSync(candidate);
    if (folder === dirname(folder)) return undefined;
  }
}
