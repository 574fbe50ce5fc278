import { expect, test } from 'vitest';
import { errorCodes, type ErrorCode, type ErrorKind } from './codes.js';
import { SkillsError } from './skills-error.js';

// Written out, so that a removal or another kind, which break callers, are seen here.
const pinned = {
  usage: ['USAGE'],
  invalid: [
    'INVALID_FRONTMATTER',
    'INVALID_SKILL',
    'INVALID_PACK_NAME',
    'INVALID_VERSION',
    'INVALID_RANGE',
    'INVALID_SPEC',
    'INVALID_PATH',
    'INVALID_MANIFEST',
    'INVALID_INDEX',
    'INVALID_LOCK',
    'LOCK_CONFLICT',
    'INVALID_PROJECT',
    'INVALID_RECEIPT',
    'INVALID_CONFIG',
    'UNSUPPORTED_FORMAT',
  ],
  'not-found': [
    'SKILL_NOT_FOUND',
    'PACK_NOT_FOUND',
    'PACK_NOT_INSTALLED',
    'VERSION_NOT_FOUND',
    'DEPENDENCY_CONFLICT',
    'BLOB_NOT_FOUND',
    'FILE_NOT_FOUND',
    'SECTION_NOT_FOUND',
  ],
  refused: [
    'ARCHIVE_REFUSED',
    'INTEGRITY_MISMATCH',
    'VERSION_EXISTS',
    'VERSION_REVOKED',
    'NAME_COLLISION',
    'FOLDER_NOT_OWNED',
    'FILES_EDITED',
    'FROZEN_MISMATCH',
    'LOCK_CHANGED',
    'SECRET_FILE',
    'REDIRECT_REFUSED',
    'ADDRESS_REFUSED',
    'PATH_TRAVERSAL_BLOCKED',
    'FILE_TOO_LARGE',
    'CREDENTIALS_EXPOSED',
    'STILL_NEEDED',
  ],
  permission: ['UNAUTHORIZED', 'TOOL_NOT_ALLOWED', 'APPROVAL_REQUIRED', 'APPROVAL_DENIED'],
  unavailable: ['NETWORK_ERROR', 'REGISTRY_ERROR', 'OFFLINE', 'TIMEOUT'],
  busy: ['BUSY', 'INTERRUPTED'],
  io: ['IO_ERROR'],
  failed: ['EXIT_NONZERO'],
  internal: ['INTERNAL'],
} as const satisfies Record<ErrorKind, readonly ErrorCode[]>;

test('no code of the table is gone or has another kind', () => {
  const kinds = Object.entries(pinned).flatMap(([kind, codes]) => codes.map((code) => [code, kind]));
  const table = Object.entries(errorCodes).map(([code, { kind }]) => [code, kind]);
  expect(Object.fromEntries(table)).toMatchObject(Object.fromEntries(kinds));
});

test('every code says when it is thrown, in one sentence', () => {
  for (const [code, { meaning }] of Object.entries(errorCodes)) {
    expect(meaning, code).toMatch(/^[A-Z`].*\.$/u);
    expect(code).toMatch(/^[A-Z]+(?:_[A-Z]+)*$/u);
  }
});

test('AGIO-19: one error class, in which not found, parse and permission are told apart by kind', () => {
  const kindOf = (code: ErrorCode) => new SkillsError(code, 'No.').kind;
  for (const code of pinned['not-found']) expect(kindOf(code)).toBe('not-found');
  for (const code of ['INVALID_FRONTMATTER', 'INVALID_SKILL', 'INVALID_MANIFEST'] as const) {
    expect(kindOf(code)).toBe('invalid');
  }
  for (const code of ['UNAUTHORIZED', 'TOOL_NOT_ALLOWED', 'APPROVAL_DENIED'] as const) {
    expect(kindOf(code)).toBe('permission');
  }
  const error: unknown = new SkillsError('SKILL_NOT_FOUND', 'No.');
  expect(SkillsError.is(error) && SkillsError.isKind(error, 'not-found')).toBe(true);
});

test.each([
  ['SkillNotFound', 'SKILL_NOT_FOUND', 'not-found'],
  ['InvalidFrontmatter', 'INVALID_FRONTMATTER', 'invalid'],
  ['PathTraversalBlocked', 'PATH_TRAVERSAL_BLOCKED', 'refused'],
  ['FileTooLarge', 'FILE_TOO_LARGE', 'refused'],
  ['SectionNotFound', 'SECTION_NOT_FOUND', 'not-found'],
  ['IOError', 'IO_ERROR', 'io'],
  ['ToolNotAllowed', 'TOOL_NOT_ALLOWED', 'permission'],
  ['ApprovalRequired', 'APPROVAL_REQUIRED', 'permission'],
  ['ApprovalDenied', 'APPROVAL_DENIED', 'permission'],
  ['Timeout', 'TIMEOUT', 'unavailable'],
  ['ExitNonZero', 'EXIT_NONZERO', 'failed'],
] as const)('PSA-40: %s is the code %s, of kind %s', (_, code, kind) => {
  expect(errorCodes[code].kind).toBe(kind);
});
