export { createHttpRegistry, downloadArchive, systemHttpPorts } from '@skillpack/registry-http';
