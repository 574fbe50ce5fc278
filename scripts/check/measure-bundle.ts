import { gzipSync } from 'node:zlib';
import { build, type Metafile } from 'esbuild';

/** What a page loads of a program that was bundled for browsers, its chunks parted. */
export interface BundleMeasure {
  /** Bytes of what loads before anything runs, each chunk as `gzip -9` has it. */
  readonly start: number;
  /** The same of what is loaded later, or never: each `import()` with what it needs besides. */
  readonly later: number;
  /** The packages of which anything is in it, loaded at the start or later; each with its bytes at the start, not compressed. */
  readonly packages: ReadonlyMap<string, number>;
}

/** Bundles a program, that stands in a folder, as esbuild does by itself, and measures what comes of it. */
export async function measureBundle(code: string, folder: string): Promise<BundleMeasure> {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: folder },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    // Only names: nothing is written.
    outdir: 'bundle',
    absWorkingDir: folder,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  const sizes = new Map(
    outputFiles.map(({ path, contents }) => [nameOf(path), gzipSync(contents, { level: 9 }).length]),
  );
  const first = chunksAtStart(metafile);
  const packages = new Map<string, number>();
  let start = 0;
  let later = 0;
  for (const [path, { inputs }] of Object.entries(metafile.outputs)) {
    const size = sizes.get(nameOf(path)) ?? 0;
    if (first.has(path)) start += size;
    else later += size;
    for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
      const name = packageOf(input);
      packages.set(name, (packages.get(name) ?? 0) + (first.has(path) ? bytesInOutput : 0));
    }
  }
  return { start, later, packages };
}

/** The chunk of the program, and those that it imports other than by `import()`. */
function chunksAtStart({ outputs }: Metafile): ReadonlySet<string> {
  const found = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === '<stdin>'));
  // What is added to a set while it is gone through is gone through, too.
  for (const path of found) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement') found.add(imported);
    }
  }
  return found;
}

function nameOf(path: string): string {
  return path.replace(/^.*[\\/]/u, '');
}

/** The package that a file of a bundle is from; of the program's own, `own`. */
function packageOf(path: string): string {
  return /.*node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)\//u.exec(path)?.groups?.['name'] ?? 'own';
}
