import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

// The others cost less than a file more does.
const heavy: ReadonlySet<string> = new Set(['child_process', 'crypto', 'fs', 'process', 'util', 'zlib']);

/**
 * Takes the heaviest of Node's own modules from the process, each when something of it is first used.
 *
 * An import loads the module at once, and reads every property of it: behind many of them Node keeps another part of
 * itself, such as readline, workers or all three standard streams. That costs every start more than its own code does.
 */
export function builtinModules(): Plugin {
  return {
    name: 'builtin-modules',
    setup(build) {
      // oxlint-disable-next-line eslint/require-unicode-regexp -- esbuild hands it to Go, which knows no `u`
      build.onResolve({ filter: /^(?:node:)?[a-z_]+$/ }, ({ path, kind }) =>
        // What is loaded when it is needed comes from Node itself: only that has all names of the module.
        kind !== 'dynamic-import' && heavy.has(path.replace(/^node:/u, ''))
          ? { path: path.replace(/^node:/u, ''), namespace: 'builtin' }
          : undefined,
      );
      // oxlint-disable-next-line eslint/require-unicode-regexp -- as above
      build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
        contents: path === 'process' ? 'module.exports = process;' : accessTo(path),
        loader: 'js',
      }));
    },
  };
}

function accessTo(name: string): string {
  // A Node that is too old for the first way has to come as far as telling so.
  const load = `process.getBuiltinModule ? process.getBuiltinModule('node:${name}') : requireBuiltin__('node:${name}')`;
  // Whoever imports it copies its own properties, and inherits the others: the proxy is asked for each when it is first
  // used. The second time it is there: a list of 500 skills looks at thousands of files.
  return `
    let loaded;
    const load = () => (loaded ??= ${load});
    const get = (_, name, receiver) => {
      const value = load()[name];
      Object.defineProperty(receiver, name, { value });
      return value;
    };
    const properties = { get, has: (_, name) => name in load() };
    module.exports = Object.create(new Proxy({}, properties));
  `;
}
