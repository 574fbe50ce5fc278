export { folderRoot, revokedPacks } from '@skillpack/cli-dist';
