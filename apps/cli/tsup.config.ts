import { cpSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig } from 'tsup';
import { builtinModules } from './builtin-modules.js';
import { directImports } from './direct-imports.js';
import { fileLocks } from './file-locks.js';
import { namesUsedOf } from './names-used-of.js';
import { oneFileEach } from './one-file-each.js';
import { thirdPartyLicences } from './third-party-licences.js';

const builtin = join(import.meta.dirname, '..', '..', 'skills-builtin');
const packages = join(import.meta.dirname, '..', '..', 'packages');
const dist = join(import.meta.dirname, 'dist');
const shipped = join(dist, 'builtin');
/** What the page of a report is made of: it is read, and written into each page. */
const pageFiles = ['report-page.js', 'report-page.css'];

const undiciNames = ['Agent', 'buildConnector', 'Client', 'EnvHttpProxyAgent', 'fetch', 'request'];

export default defineConfig({
  entry: ['src/skills.ts'],
  format: 'esm',
  target: 'node22',
  platform: 'node',
  splitting: true,
  minifySyntax: true,
  clean: true,
  dts: false,
  silent: true,
  // Its own way with Node's modules would come before ours.
  removeNodeProtocol: false,
  // Everything but the compiled half of the file locks is in the bundle: one start reads few files, and an install of the
  // command brings one dependency.
  noExternal: [/^/u],
  esbuildPlugins: [
    oneFileEach([
      { from: 'zod/mini', as: 'zod', names: namesUsedOf('z', [join(import.meta.dirname, 'src'), packages]) },
      // What providers of models are made with.
      { from: 'zod/v4', as: 'zod-v4' },
      // For servers of registries, for providers of models and for the tool that asks servers.
      { from: 'undici', as: 'undici-client', names: undiciNames },
      { from: join(packages, 'core', 'src', 'pack', 'version.ts'), as: 'version' },
    ]),
    fileLocks(),
    builtinModules(),
    directImports(packages),
    thirdPartyLicences(join(dist, 'THIRD_PARTY_LICENCES.md')),
  ],
  banner: {
    // CommonJS dependencies inside the bundle call `require` for Node's own modules.
    js: "import { createRequire as createRequire__ } from 'node:module'; const require = createRequire__(import.meta.url); const requireBuiltin__ = require;",
  },
  esbuildOptions(options) {
    options.conditions = ['skillpack-source', 'module', 'node', 'import'];
    options.legalComments = 'none';
  },
  async onSuccess() {
    for (const name of pageFiles) cpSync(join(packages, 'evals', 'dist', name), join(dist, name));
    rmSync(shipped, { recursive: true, force: true });
    cpSync(builtin, shipped, {
      recursive: true,
      filter: (path) => !/^(?:skillpack\.json|\.skillpackignore|test|.*\.test\.ts)$/u.test(basename(path)),
    });
  },
});
