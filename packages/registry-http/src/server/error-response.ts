import { escapedJson, SkillsError, type ErrorCode } from '@skillpack/core';

/** An error as a server answers it, with the status that belongs to it. */
export function errorResponse(error: unknown): Response {
  if (!SkillsError.is(error)) return refusal(500, 'INTERNAL', 'The registry has a defect.');
  if (hasNoRoom(error)) {
    return jsonError(507, {
      code: error.code,
      message: 'The disk of the registry is full.',
      hint: 'Whoever runs it has to free some space on its disk.',
    });
  }
  const status = statusOf(error);
  // What went wrong with its disk or its code is the business of whoever runs the server.
  if (status >= 500) return refusal(status, error.code, 'The registry could not do this.');
  return jsonError(status, { code: error.code, message: error.message, hint: error.hint, data: error.data });
}

/** A full disk or a used-up quota (507, RFC 4918, 11.5): to send the same again at once is of no use. */
function hasNoRoom(error: SkillsError): boolean {
  return error.code === 'IO_ERROR' && ['ENOSPC', 'EDQUOT'].includes(String(error.data['code']));
}

/** A refusal in our own words. */
export function refusal(status: number, code: ErrorCode, message: string): Response {
  return jsonError(status, { code, message });
}

interface ErrorDocument {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly data?: Readonly<Record<string, unknown>> | undefined;
}

function jsonError(status: number, { code, message, hint, data }: ErrorDocument): Response {
  const document = { error: { code, message, hint: hint ?? null, data: data ?? {} } };
  const headers: Record<string, string> = { 'content-type': 'application/json', 'cache-control': 'no-store' };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  return new Response(`${escapedJson(document, 2)}\n`, { status, headers });
}

function statusOf(error: SkillsError): number {
  switch (error.code) {
    case 'VERSION_EXISTS':
      return 409;
    case 'FILE_TOO_LARGE':
      return 413;
    case 'UNAUTHORIZED':
      return 401;
    case 'USAGE':
      return 400;
    case 'PATH_TRAVERSAL_BLOCKED':
      return 404;
    case 'BUSY':
      return 503;
    case 'ARCHIVE_REFUSED':
    case 'INVALID_MANIFEST':
    case 'INVALID_PACK_NAME':
    case 'INVALID_VERSION':
      return 422;
    default:
      return error.kind === 'not-found' ? 404 : 500;
  }
}
