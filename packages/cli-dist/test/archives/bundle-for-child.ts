import { basename, join } from 'node:path';
import { build } from 'tsup';

/**
 * Bundles a module of the tests, so that a plain process can `require` it.
 *
 * @returns the path of the bundle in `folder`.
 */
export async function bundleForChild(module: string, folder: string): Promise<string> {
  const name = basename(module, '.ts');
  await build({
    entry: { [name]: join(import.meta.dirname, module) },
    outDir: folder,
    outExtension: () => ({ js: '.cjs' }),
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    config: false,
    silent: true,
    clean: false,
    noExternal: [/^(?!fs-native-extensions)/u],
    external: ['fs-native-extensions'],
    esbuildOptions(options) {
      options.conditions = ['skillpack-source'];
    },
  });
  return join(folder, `${name}.cjs`);
}
