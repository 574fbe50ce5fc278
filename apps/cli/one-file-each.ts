import { basename, join, resolve } from 'node:path';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];
type Build = Parameters<Plugin['setup']>[0];

const own = 'one-file-each';

/** What many parts need and what is slow to load: it gets a file that they share. */
export interface SharedModule {
  /** How it is imported, or the path of the file. */
  readonly from: string;
  /** What it is called among the files. */
  readonly as: string;
  /** The names that are used of a library, so that the rest of it stays out. */
  readonly names?: readonly string[];
}

/**
 * Makes one file of everything that is loaded together: an `import()` is the border, and each file holds all that its
 * first module needs, so that some of it is there more than once.
 *
 * esbuild's own splitting never writes a module twice, and makes a file of whatever two others share: a command then
 * loads eighty files, each of which costs a millisecond, where it now loads ten.
 */
export function oneFileEach(shared: readonly SharedModule[]): Plugin {
  return {
    name: own,
    async setup(build) {
      const names = await findBorders(build);
      build.initialOptions.splitting = false;
      const entries: Record<string, string> = {};
      for (const [path, name] of names) entries[name] = path;
      for (const { from, as, names: used } of shared) entries[as] = used === undefined ? from : `${own}:${as}`;
      build.initialOptions.entryPoints = entries;
      leadAcrossBorders(build, names, shared);
    },
  };
}

/** The modules that something loads only when it needs them, and the names of their files. */
async function findBorders(build: Build): Promise<ReadonlyMap<string, string>> {
  const { plugins = [], ...options } = build.initialOptions;
  const { metafile } = await build.esbuild.build({
    ...options,
    plugins: plugins.filter(({ name }) => name !== own && name !== 'third-party-licences'),
    splitting: true,
    metafile: true,
    write: false,
    logLevel: 'error',
  });
  const names = new Map<string, string>();
  for (const { entryPoint } of Object.values(metafile.outputs)) {
    if (entryPoint === undefined || /:|node_modules/u.test(entryPoint)) continue;
    const name = basename(entryPoint, '.ts');
    const taken = new Set(names.values());
    names.set(resolve(entryPoint), taken.has(name) ? `${basename(join(entryPoint, '..'))}-${name}` : name);
  }
  return names;
}

function leadAcrossBorders(build: Build, names: ReadonlyMap<string, string>, shared: readonly SharedModule[]): void {
  const outside = (name: string): { path: string; external: true } => ({ path: `./${name}.js`, external: true });
  const libraries = new Map(shared.map((module) => [module.from, module]));
  // oxlint-disable-next-line eslint/require-unicode-regexp -- esbuild hands it to Go, which knows no `u`
  build.onResolve({ filter: /.*/ }, async ({ path, kind, importer, namespace, resolveDir, pluginData }) => {
    if (pluginData === own || namespace === own || kind === 'entry-point') return undefined;
    const library = libraries.get(path);
    if (library !== undefined) return outside(library.as);
    if (!/^[./@]/u.test(path)) return undefined;
    const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: own });
    const name = kind === 'dynamic-import' ? names.get(found.path) : libraries.get(found.path)?.as;
    return name === undefined || found.path === importer ? undefined : outside(name);
  });
  // oxlint-disable-next-line eslint/require-unicode-regexp -- as above
  build.onResolve({ filter: new RegExp(`^${own}:`) }, ({ path }) => ({ path, namespace: own }));
  // oxlint-disable-next-line eslint/require-unicode-regexp -- as above
  build.onLoad({ filter: /.*/, namespace: own }, ({ path }) => {
    const module = shared.find(({ as }) => path === `${own}:${as}`);
    return {
      contents: `export { ${module?.names?.join(', ')} } from '${module?.from}';`,
      resolveDir: import.meta.dirname,
    };
  });
}
