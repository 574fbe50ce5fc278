export { createArchiveWriter } from '@skillpack/cli-dist';
export { createFolderRegistry } from '@skillpack/registry-http/server';
