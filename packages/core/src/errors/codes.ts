/**
 * What an error means for whoever called, however it is worded:
 *
 * - `usage`: the call itself is wrong;
 * - `invalid`: a file or a value that was handed in is malformed;
 * - `not-found`: no such pack, version, skill or file;
 * - `refused`: it could be done, and must not be (integrity, ownership, a hostile archive);
 * - `permission`: the one who asks is not allowed to;
 * - `unavailable`: a registry or the network did not answer as promised;
 * - `busy`: somebody else is at it, or it was interrupted;
 * - `io`: the disk said no;
 * - `failed`: a program that was run said no;
 * - `internal`: a defect of skillpack.
 */
export type ErrorKind =
  | 'usage'
  | 'invalid'
  | 'not-found'
  | 'refused'
  | 'permission'
  | 'unavailable'
  | 'busy'
  | 'io'
  | 'failed'
  | 'internal';

interface CodeEntry {
  readonly kind: ErrorKind;
  /** When this code is thrown, in one sentence. */
  readonly meaning: string;
}

/** The closed table of error codes. Removing a row or changing its kind is a breaking change. */
export const errorCodes = {
  USAGE: { kind: 'usage', meaning: 'An argument or an option is wrong, missing or unknown.' },

  INVALID_FRONTMATTER: { kind: 'invalid', meaning: 'The front matter of a SKILL.md cannot be read.' },
  INVALID_SKILL: { kind: 'invalid', meaning: 'A skill breaks a rule of the profile it is held to.' },
  INVALID_PACK_NAME: { kind: 'invalid', meaning: 'A pack name is not `org/name`.' },
  INVALID_VERSION: { kind: 'invalid', meaning: 'A version is not SemVer 2.' },
  INVALID_RANGE: { kind: 'invalid', meaning: 'A version range cannot be read.' },
  INVALID_SPEC: { kind: 'invalid', meaning: 'What was asked for is neither a pack, a path nor a URL.' },
  INVALID_PATH: {
    kind: 'invalid',
    meaning: 'A path inside a pack cannot exist on every platform, or leads out of the pack.',
  },
  INVALID_MANIFEST: { kind: 'invalid', meaning: 'A manifest.json does not follow its schema or contradicts itself.' },
  INVALID_INDEX: { kind: 'invalid', meaning: 'An index document of a registry does not follow its schema.' },
  INVALID_LOCK: { kind: 'invalid', meaning: 'A skillpack-lock.json does not follow its schema.' },
  LOCK_CONFLICT: { kind: 'invalid', meaning: 'A skillpack-lock.json holds merge-conflict markers.' },
  INVALID_PROJECT: { kind: 'invalid', meaning: 'A skillpack.json does not follow its schema.' },
  INVALID_RECEIPT: { kind: 'invalid', meaning: 'An install receipt does not follow its schema.' },
  INVALID_CONFIG: { kind: 'invalid', meaning: 'A configuration file or variable has a value that cannot be used.' },
  INVALID_ACTION: { kind: 'invalid', meaning: 'What a model answered is no decision of the protocol.' },
  INVALID_INPUT: { kind: 'invalid', meaning: 'The input of a tool does not follow its schema.' },
  INVALID_CASSETTE: { kind: 'invalid', meaning: 'A cassette of model calls does not follow its format.' },
  INVALID_CASE: { kind: 'invalid', meaning: 'A file of eval cases does not follow its format.' },
  INVALID_RESULTS: { kind: 'invalid', meaning: 'A document of eval results does not follow its format.' },
  INVALID_RECORD: {
    kind: 'invalid',
    meaning: 'A run record does not follow its schema, or its chain of hashes is broken.',
  },
  UNSUPPORTED_FORMAT: { kind: 'invalid', meaning: 'A document has a formatVersion that this version does not know.' },

  SKILL_NOT_FOUND: { kind: 'not-found', meaning: 'No skill of this name is here.' },
  PACK_NOT_FOUND: { kind: 'not-found', meaning: 'The registry has no pack of this name.' },
  PACK_NOT_INSTALLED: { kind: 'not-found', meaning: 'The root holds no install of this pack.' },
  VERSION_NOT_FOUND: { kind: 'not-found', meaning: 'The pack exists, but no version or tag fits what was asked for.' },
  DEPENDENCY_CONFLICT: { kind: 'not-found', meaning: 'No choice of versions satisfies all packs at once.' },
  BLOB_NOT_FOUND: { kind: 'not-found', meaning: 'The registry names a blob that it does not hold.' },
  FILE_NOT_FOUND: { kind: 'not-found', meaning: 'A file or folder that was named does not exist.' },
  TOOL_NOT_FOUND: { kind: 'not-found', meaning: 'No tool of this name is offered.' },
  RUN_NOT_FOUND: { kind: 'not-found', meaning: 'No run of this name was recorded here.' },
  SECTION_NOT_FOUND: { kind: 'not-found', meaning: 'A document has no such heading.' },
  MODEL_NOT_FOUND: { kind: 'not-found', meaning: 'A provider has no model of this name, or not for this key.' },
  RECORDING_NOT_FOUND: { kind: 'not-found', meaning: 'A cassette holds no answer to what a model is asked.' },
  TEXT_NOT_FOUND: { kind: 'not-found', meaning: 'A file does not hold the text to be replaced, or not just once.' },

  ARCHIVE_REFUSED: {
    kind: 'refused',
    meaning: 'An archive is damaged, too large or hostile; `data.reason` says which.',
  },
  INTEGRITY_MISMATCH: { kind: 'refused', meaning: 'Bytes do not have the digest that was promised.' },
  VERSION_EXISTS: { kind: 'refused', meaning: 'This version is published already; a published version never changes.' },
  VERSION_REVOKED: { kind: 'refused', meaning: 'The registry has revoked this content.' },
  NAME_COLLISION: { kind: 'refused', meaning: 'Two packs bring a skill of the same name.' },
  FOLDER_NOT_OWNED: { kind: 'refused', meaning: 'A folder is in the way that no pack owns.' },
  FILES_EDITED: { kind: 'refused', meaning: 'Installed files were edited and would be lost.' },
  STILL_NEEDED: { kind: 'refused', meaning: 'Another installed pack depends on what would be removed.' },
  FROZEN_MISMATCH: { kind: 'refused', meaning: 'A frozen install would have to change the lock file.' },
  LOCK_CHANGED: { kind: 'refused', meaning: 'The lock file was changed by somebody else meanwhile.' },
  SECRET_FILE: { kind: 'refused', meaning: 'A file that usually holds secrets would be published.' },
  CREDENTIALS_EXPOSED: { kind: 'refused', meaning: 'A file that holds tokens can be read or changed by others.' },
  REDIRECT_REFUSED: { kind: 'refused', meaning: 'A server redirects to where it must not.' },
  ADDRESS_REFUSED: { kind: 'refused', meaning: 'A URL leads to an address or a scheme that is not allowed.' },
  PATH_TRAVERSAL_BLOCKED: { kind: 'refused', meaning: 'A path leads out of the folder it is confined to.' },
  FILE_CHANGED: { kind: 'refused', meaning: 'A file is not any more what it was when it was read.' },
  FILE_PROTECTED: { kind: 'refused', meaning: 'A file is read-only, or in a place that no tool writes to.' },
  RECORDING_STALE: { kind: 'refused', meaning: 'A cassette was recorded with other skills than there are now.' },
  SHARD_MISMATCH: {
    kind: 'refused',
    meaning: 'Shards of an eval run do not make up one whole plan: one is missing, there twice, or of another plan.',
  },
  CONTEXT_TOO_LONG: { kind: 'refused', meaning: 'A request is longer than the window of the model.' },
  MODEL_REFUSED: { kind: 'refused', meaning: 'A model, or a filter of its provider, does not answer this.' },
  REQUEST_REFUSED: { kind: 'refused', meaning: 'A provider of models does not take a request as it is.' },
  BUDGET_EXHAUSTED: { kind: 'refused', meaning: 'A budget of model calls is spent; the call was not made.' },
  FILE_TOO_LARGE: { kind: 'refused', meaning: 'A file, a request or an answer is larger than its limit.' },

  UNAUTHORIZED: { kind: 'permission', meaning: 'A registry or a provider of models wants a valid token.' },
  TOOL_NOT_ALLOWED: { kind: 'permission', meaning: 'Policy does not allow this tool.' },
  APPROVAL_REQUIRED: { kind: 'permission', meaning: 'A person has to approve this first, and none can be asked.' },
  APPROVAL_DENIED: { kind: 'permission', meaning: 'A person was asked and said no.' },

  NETWORK_ERROR: { kind: 'unavailable', meaning: 'A server could not be reached or broke off.' },
  REGISTRY_ERROR: { kind: 'unavailable', meaning: 'A registry answered, but not as its contract says.' },
  RATE_LIMITED: {
    kind: 'unavailable',
    meaning: 'A provider of models was asked too often; it may say when to come back.',
  },
  OVERLOADED: { kind: 'unavailable', meaning: 'A provider of models has no room for the request at the moment.' },
  MODEL_ERROR: { kind: 'unavailable', meaning: 'A model did not answer as its protocol says.' },
  OFFLINE: { kind: 'unavailable', meaning: 'It is not in the cache, and the network must not be used.' },
  TIMEOUT: { kind: 'unavailable', meaning: 'It took longer than allowed.' },

  BUSY: { kind: 'busy', meaning: 'Another process holds the lock.' },
  INTERRUPTED: { kind: 'busy', meaning: 'It was cancelled.' },

  IO_ERROR: { kind: 'io', meaning: 'The operating system refused to read or write.' },
  EXIT_NONZERO: { kind: 'failed', meaning: 'A program ended with an exit code other than 0.' },
  INTERNAL: { kind: 'internal', meaning: 'A defect of skillpack; please report it.' },
} as const satisfies Record<string, CodeEntry>;

/** One of the codes of {@link errorCodes}. */
export type ErrorCode = keyof typeof errorCodes;
