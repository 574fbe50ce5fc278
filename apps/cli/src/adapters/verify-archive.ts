export { verifyArchive } from '@skillpack/cli-dist';
