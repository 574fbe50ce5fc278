export { documentCacheFiles } from './cache/document-cache-files.js';
export {
  createHttpRegistry,
  type HttpRegistry,
  type HttpRegistryOptions,
  type HttpRegistryPorts,
} from './client/http-registry.js';
export { downloadArchive, type DownloadArchiveOptions } from './client/download-archive.js';
export { type RegistryReaderOptions } from './client/registry-reader.js';
export { type HttpEvent, type HttpOptions, type HttpTimeouts } from './http/http-options.js';
export { systemHttpPorts, type HttpPorts } from './http/http-ports.js';
export { readProxies, type Proxies } from './http/proxies.js';
export {
  remoteSkills,
  type RemoteSelection,
  type RemoteSkillsOptions,
  type RemoteSkillsPorts,
} from './skills/remote-skills.js';
