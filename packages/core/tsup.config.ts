import { defineConfig } from 'tsup';
import { libraryBuild, moduleBuild } from '../../tsup.base.ts';

const entry = ['src/index.ts', 'src/listing.ts', 'src/telemetry.ts', 'src/testing.ts'];

export default defineConfig([libraryBuild(entry), moduleBuild(entry)]);
