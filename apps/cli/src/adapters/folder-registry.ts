export { createFolderRegistry } from '@skillpack/registry-http/server';
