import { defineConfig } from 'tsup';
import { libraryBuild } from '../../tsup.base.ts';

const library = libraryBuild(['src/index.ts', 'src/node.ts', 'src/vitest.ts', 'src/bullmq.ts']);

export default defineConfig([
  // What the other build writes at this moment stays.
  { ...library, clean: ['!**/*.d.ts', '!report-page.*'] },
  {
    // The page of a report: a script without modules, which can stand in a file, and a style sheet.
    entry: ['page/report-page.ts', 'page/report-page.css'],
    format: 'iife',
    outExtension: () => ({ js: '.js' }),
    target: 'es2022',
    platform: 'browser',
    minify: true,
    clean: false,
    dts: false,
    silent: true,
  },
]);
