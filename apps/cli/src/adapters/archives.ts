export { createArchiveReader, createArchiveWriter } from '@skillpack/cli-dist';
