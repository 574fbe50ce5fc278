export { recallInstall } from '@skillpack/cli-dist';
