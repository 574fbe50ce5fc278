import { mergeConfig } from 'vitest/config';
import everyDay from './vitest.config.ts';

// The same tests, but the campaigns are run whole instead of sampled.
export default mergeConfig(everyDay, {
  test: { env: { SKILLPACK_LONG_TESTS: '1' }, testTimeout: 3_600_000, hookTimeout: 600_000 },
});
