import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/**
 * Takes the few lines of fs-native-extensions that are JavaScript into the bundle, and loads its compiled half from where
 * the package lies.
 *
 * By itself it asks `require-addon`, which looks for that half by the rules of two runtimes, and is fifteen files: a
 * twentieth of the time of a small install.
 */
export function fileLocks(): Plugin {
  return {
    name: 'file-locks',
    setup(build) {
      // oxlint-disable-next-line eslint/require-unicode-regexp -- esbuild hands it to Go, which knows no `u`
      build.onResolve({ filter: /^\.\/binding$/ }, ({ path, importer }) =>
        importer.includes('fs-native-extensions') ? { path, namespace: 'file-locks' } : undefined,
      );
      // oxlint-disable-next-line eslint/require-unicode-regexp -- as above
      build.onLoad({ filter: /.*/, namespace: 'file-locks' }, () => ({
        contents:
          'module.exports = requireBuiltin__(`fs-native-extensions/prebuilds/${process.platform}-${process.arch}/fs-native-extensions.node`);',
        loader: 'js',
      }));
    },
  };
}
