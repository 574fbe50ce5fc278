export { createFolderRegistry, type FolderRegistry, type FolderRegistryOptions } from './folder/folder-registry.js';
export { type BuildFolderOptions, type FolderBuild } from './folder/build-folder.js';
export { type DerivedDocuments } from './folder/derive-documents.js';
export { type FolderProblem } from './folder/folder-problem.js';
export { type FolderRegistryPorts } from './folder/folder-context.js';
export {
  createFolderFiles,
  type ByteRange,
  type FileFacts,
  type FolderEntry,
  type FolderFiles,
} from './folder/folder-files.js';
export {
  createRegistryServer,
  type RegistryServerOptions,
  type RegistryServerPorts,
  type RequestHandler,
  type ServedRegistry,
} from './server/registry-server.js';
export { type PublishToken } from './server/publish-token.js';
export { serveRegistry, type RunningServer, type ServeOptions } from './server/serve-registry.js';
