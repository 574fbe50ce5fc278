import { dirname, join, relative, resolve } from 'node:path';
import { readTextIfPresent } from '../files/read-text-if-present.js';

/** The file that an import of an installed package loads, and the folder that the package lies in. */
export interface FoundPackage {
  readonly folder: string;
  readonly entry: string;
}

/** In which folders a package is looked for. */
export interface PackagePlaces {
  /** The first one; then those above it. */
  readonly from: string;
  /** The last one. */
  readonly upTo: string;
}

/**
 * Looks for an installed package in the `node_modules` of a folder and of those above it, up to a last one. Above that,
 * packages may be anybody's.
 */
export function findPackage(name: string, { from, upTo }: PackagePlaces): FoundPackage | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const found = packageIn(join(folder, 'node_modules', name));
    if (found !== undefined) return found;
    const above = relative(upTo, folder);
    if (above === '' || above.startsWith('..') || dirname(folder) === folder) return undefined;
  }
}

function packageIn(folder: string): FoundPackage | undefined {
  const json = readTextIfPresent(join(folder, 'package.json'));
  if (json === undefined) return undefined;
  const { exports, module, main } = readManifest(json);
  const entry = targetOf(exports) ?? textOf(module) ?? textOf(main) ?? 'index.js';
  return { folder, entry: join(folder, entry) };
}

function readManifest(json: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(json);
    // Cast: an object has fields, of which nothing is known.
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

const conditions: readonly string[] = ['node', 'import', 'module-sync', 'module', 'default'];

/** What `exports` of a package.json says that an import of the package itself loads: by the first condition that holds. */
function targetOf(exports: unknown): string | undefined {
  if (typeof exports === 'string') return exports;
  if (Array.isArray(exports)) return exports.map(targetOf).find((target) => target !== undefined);
  if (typeof exports !== 'object' || exports === null) return undefined;
  for (const [condition, target] of Object.entries(exports)) {
    if (condition !== '.' && !conditions.includes(condition)) continue;
    const found = targetOf(target);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
