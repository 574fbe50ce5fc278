import { withoutCredentials } from '@skillpack/core';
import type { PackOrigin } from '../install/install-report.js';
import type { Candidate } from './candidate.js';

/** Where a version comes from, as reports and receipts say it. */
export function originOf({ source }: Candidate): PackOrigin {
  switch (source.kind) {
    case 'registry':
      return { kind: 'registry', location: source.registry };
    case 'url':
      return { kind: 'url', location: withoutCredentials(source.url) };
    case 'file':
    case 'folder':
      return { kind: source.kind, location: source.path };
  }
}
