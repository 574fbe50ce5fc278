import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

interface Library {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly text: string;
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
        writeFileSync(file, libraries.map(section).join('\n'));
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

function readLibrary(folder: string): Library {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Omit<
    Library,
    'text'
  >;
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:[.-].*)?$/iu.test(entry));
  if (file === undefined) throw new Error(`${folder} has no licence file.`);
  return { name, version, license, text: readFileSync(join(folder, file), 'utf8') };
}

function section({ name, version, license, text }: Library): string {
  return `## ${name} ${version} (${license})\n\n${text.trim()}\n`;
}
