import { defineConfig } from 'tsup';
import { libraryBuild } from '../../tsup.base.ts';

export default defineConfig(libraryBuild(['src/ai-sdk.ts', 'src/langchain.ts', 'src/mastra.ts']));
