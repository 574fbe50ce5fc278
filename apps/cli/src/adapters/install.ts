export { installPacks } from '@skillpack/cli-dist';
export { parsePackSpec } from '@skillpack/core';
export { followInstall } from '../render/follow-install.js';
