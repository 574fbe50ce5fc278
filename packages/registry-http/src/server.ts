export { createFolderRegistry, type FolderRegistry, type FolderRegistryOptions } from './folder/folder-registry.js';
export { type FolderBuild } from './folder/build-folder.js';
export { type DerivedDocuments, type FolderProblem } from './folder/derive-documents.js';
export { type FolderRegistryPorts } from './folder/folder-context.js';
export { createFolderFiles, type FileFacts, type FolderEntry, type FolderFiles } from './folder/folder-files.js';
