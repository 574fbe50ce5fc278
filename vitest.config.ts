import { defineConfig } from 'vitest/config';

// Where CI wants the results as JSON; people read the terminal.
const report = process.env['SKILLPACK_TEST_REPORT'];

export default defineConfig({
  resolve: { conditions: ['skillpack-source', 'module', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['skillpack-source', 'module', 'node', 'import', 'default'] } },
  test: {
    include: [
      'bench/*.test.ts',
      'packages/*/{src,test}/**/*.test.ts',
      'apps/*/{src,test}/**/*.test.ts',
      'skills-builtin/**/*.test.ts',
      'tooling/*/test/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    setupFiles: ['./test/fixed-seed.ts'],
    ...(report === undefined ? {} : { reporters: ['default', ['json', { outputFile: report }]] }),
    // For a machine that has much else to do: a test that is to be quick says so itself.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    maxWorkers: 2,
  },
});
