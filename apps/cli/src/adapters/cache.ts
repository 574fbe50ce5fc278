export { openStore, sealFiles } from '@skillpack/cli-dist';
export { scanCacheFiles } from '@skillpack/registry-fs';
export { documentCacheFiles } from '@skillpack/registry-http';
