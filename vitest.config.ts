import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['skillpack-source', 'module', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['skillpack-source', 'module', 'node', 'import', 'default'] } },
  test: {
    include: [
      'packages/*/{src,test}/**/*.test.ts',
      'apps/*/{src,test}/**/*.test.ts',
      'skills-builtin/**/*.test.ts',
      'tooling/*/test/**/*.test.ts',
      'test/**/*.test.ts',
    ],
    testTimeout: 30_000,
    maxWorkers: 2,
  },
});
