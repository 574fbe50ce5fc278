import { defineConfig } from 'tsup';
import { libraryBuild } from '../../tsup.base.ts';

export default defineConfig(libraryBuild(['src/index.ts', 'src/node.ts', 'src/vitest.ts', 'src/bullmq.ts']));
