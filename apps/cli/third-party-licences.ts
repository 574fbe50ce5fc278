import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

interface Library {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly repository: string;
  /** `undefined` where it comes without one. */
  readonly text: string | undefined;
}

/** Writes the licences of all libraries that are in the bundle to `file`, as most of them ask of whoever hands out copies. */
export function thirdPartyLicences(file: string): Plugin {
  return {
    name: 'third-party-licences',
    setup(build) {
      build.initialOptions.metafile = true;
      build.onEnd(({ metafile }) => {
        const folders = new Set<string>();
        for (const input of Object.keys(metafile?.inputs ?? {})) {
          if (input.includes('node_modules')) folders.add(packageFolder(resolve(input)));
        }
        const libraries = [...folders].map(readLibrary).toSorted((left, right) => (left.name < right.name ? -1 : 1));
        // The bundle itself may not be written yet.
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, libraries.map((library) => section(library, libraries)).join('\n'));
      });
    },
  };
}

// Folders inside a package may hold a package.json of their own; the package itself lies right in a node_modules.
function packageFolder(path: string): string {
  const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/u.exec(path)?.[0];
  if (folder === undefined) throw new Error(`${path} belongs to no package.`);
  return folder;
}

interface PackageJson extends Pick<Library, 'name' | 'version' | 'license'> {
  readonly repository?: string | { readonly url: string };
}

function readLibrary(folder: string): Library {
  const json = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version, license, repository = '' } = JSON.parse(json) as PackageJson;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:[.-].*)?$/iu.test(entry));
  const text = file === undefined ? undefined : readFileSync(join(folder, file), 'utf8');
  return { name, version, license, repository: typeof repository === 'string' ? repository : repository.url, text };
}

/** A package that comes without its licence has that of its repository, which another one of it comes with. */
function section({ name, version, license, repository, text }: Library, all: readonly Library[]): string {
  const sibling = all.find((one) => one.text !== undefined && one.repository === repository && one.license === license);
  const found = text ?? (repository === '' ? undefined : sibling?.text);
  if (found === undefined) throw new Error(`${name} has no licence file.`);
  return `## ${name} ${version} (${license})\n\n${found.trim()}\n`;
}
