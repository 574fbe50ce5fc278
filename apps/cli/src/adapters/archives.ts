export { createArchiveReader } from '@skillpack/cli-dist';
