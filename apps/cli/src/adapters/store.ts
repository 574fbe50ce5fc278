export { openStore } from '@skillpack/cli-dist';
