import { defineConfig } from 'tsup';
import { libraryBuild, moduleBuild } from '../../tsup.base.ts';

export default defineConfig([
  libraryBuild(['src/index.ts', 'src/listing.ts', 'src/telemetry.ts', 'src/testing.ts']),
  moduleBuild(),
]);
