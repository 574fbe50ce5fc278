import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

/** The files of the pdf skill that are made from this project, by their path in the skill's folder. */
export interface BuiltSkillFiles {
  readonly 'scripts/pdf.mjs': Uint8Array;
  readonly 'references/THIRD_PARTY_LICENSES.md': Uint8Array;
}

const project = join(import.meta.dirname, '../..');

const header = `#!/usr/bin/env node
// pdf.mjs: text, pages, metadata, merge, split, extract and rotate for PDF files. Needs only Node 18.3 or newer.
//
// This file is bundled; the source is https://github.com/skillpack/skillpack/tree/main/tooling/pdf-skill
// Copyright the skillpack authors, Apache-2.0. It contains pdf.js, pdf-lib and others under their own licences:
// see references/THIRD_PARTY_LICENSES.md. Run it with --help.
`;

/** Builds the script and the list of licences. The same sources and lock file give the same bytes. */
export async function buildScript(): Promise<BuiltSkillFiles> {
  const { outputFiles, metafile } = await build({
    absWorkingDir: project,
    entryPoints: ['src/script/main.ts'],
    outfile: 'pdf.mjs',
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    target: 'node18.3',
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    loader: { '.br': 'binary' },
    banner: { js: header },
    logLevel: 'error',
  });
  const [script] = outputFiles;
  if (script === undefined) throw new Error('esbuild wrote nothing.');
  return {
    'scripts/pdf.mjs': script.contents,
    'references/THIRD_PARTY_LICENSES.md': Buffer.from(licencesOf(Object.keys(metafile.inputs))),
  };
}

/** The licences of every npm package that is in the bundle, and of what those carry without a package of their own. */
function licencesOf(inputs: readonly string[]): string {
  const folders = new Map<string, string>();
  for (const input of inputs) {
    const [, before, name] = /^(.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)\//u.exec(input) ?? [];
    if (before !== undefined && name !== undefined) folders.set(name, join(project, before, name));
  }
  const packages = [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, folder]) => packageLicence(folder));
  const carried = readFileSync(join(project, 'src/build/carried-licences.md'), 'utf8');
  return `${[licencesHead, ...packages, carried.trim()].join('\n\n')}\n`;
}

const licencesHead = `# Third-party licences

\`scripts/pdf.mjs\` contains the packages below, as they were published, bundled and minified.`;

function packageLicence(folder: string): string {
  // Read from the package that npm serves, whose manifest always has these.
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Readonly<
    Record<'name' | 'version' | 'license', string>
  >;
  const text = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license']
    .map((name) => read(join(folder, name)))
    .find((found) => found !== undefined);
  if (text === undefined) throw new Error(`${manifest.name} in ${dirname(folder)} has no licence file.`);
  return `## ${manifest.name} ${manifest.version} (${manifest.license})\n\n\`\`\`text\n${text.trim().replaceAll('\r\n', '\n')}\n\`\`\``;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
