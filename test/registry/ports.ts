import { createArchiveReader, createArchiveWriter, sha256 } from '@skillpack/cli-dist';
import { systemHttpPorts } from '@skillpack/registry-http';
import { describe, expect, test } from 'vitest';

/** The real parts that the registries are tested with. */
export const archivePorts = {
  archives: createArchiveReader(),
  writer: createArchiveWriter(),
  now: () => new Date(),
};

/** What makes packs for a test. */
export const packPorts = { writer: archivePorts.writer, sha256 };

/** What a contract is run with. */
export const contractPorts = { describe, test, expect, ...packPorts };

/** What HTTP registries work with. */
export const httpPorts = { ...systemHttpPorts, archives: archivePorts.archives };
