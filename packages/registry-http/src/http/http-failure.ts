import { SkillsError, visibleText, withoutCredentials } from '@skillpack/core';

/** A failure that may pass when it is tried again, or one that will not. */
export interface HttpFailure {
  readonly error: SkillsError;
  readonly transient: boolean;
  /** What the server asked to wait, in milliseconds. */
  readonly retryAfter?: number | undefined;
}

/** What is said of everything that did not come in time, by code. */
const late = {
  CONNECT_TIMEOUT: 'no connection in time',
  HEADERS_TIMEOUT: 'no answer in time',
  BODY_TIMEOUT: 'nothing more of the answer came in time',
} as const;

/** The code of a failure that is none but of patience. Those of undici are the same, after `UND_ERR_`. */
export type LateCode = keyof typeof late;

const lasting =
  /^(?:ENOTFOUND|CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|EPROTO|UND_ERR_INVALID_ARG)/u;
const certificate = /^(?:CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/u;

/** Makes a failure of what was thrown while a URL was asked for. */
export function failureOf(thrown: unknown, what: string): HttpFailure {
  if (SkillsError.is(thrown)) return { error: thrown, transient: thrown.code === 'TIMEOUT' };
  const inner = innermost(thrown);
  if (SkillsError.is(inner)) return { error: inner, transient: false };
  const code = codeOf(inner);
  const waited = lateness(inner, code);
  if (waited !== undefined) {
    const error = new SkillsError('TIMEOUT', `${what}: ${waited} (${code}).`, {
      cause: thrown,
      data: { code },
    });
    return { error, transient: true };
  }
  const reason = code === '' ? String(inner) : `${code}, ${inner instanceof Error ? inner.message : String(inner)}`;
  const error = new SkillsError('NETWORK_ERROR', `${what} failed: ${visibleText(reason)}.`, {
    cause: thrown,
    hint: hintOf(code),
    data: { code },
  });
  return { error, transient: !lasting.test(code) };
}

/** What a request is called in messages: `GET https://host/path`, without credentials. */
export function describeRequest(method: string, url: URL): string {
  return `${method} ${withoutCredentials(url.href)}`;
}

function hintOf(code: string): string {
  if (certificate.test(code)) return 'If the certificate is your own, name its issuer in NODE_EXTRA_CA_CERTS.';
  if (code === 'ENOTFOUND') return 'Look at the spelling of the host and at your connection.';
  return 'Look at your connection, your proxy settings, and whether the server runs.';
}

function lateness(error: unknown, code: string): string | undefined {
  const own = code.replace(/^UND_ERR_/u, '');
  if (Object.hasOwn(late, own)) return late[own as LateCode]; // Cast: as was just asked.
  if (code !== 'ETIMEDOUT') return undefined;
  // From the system: of a connection that is not made, or of one whose other end has fallen silent.
  const connecting = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return connecting ? late.CONNECT_TIMEOUT : late.BODY_TIMEOUT;
}

function innermost(error: unknown): unknown {
  // Of several attempts on several addresses, the first failure says most.
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  if (SkillsError.is(error) || !(error instanceof Error) || codeOf(error) !== '') return error;
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
