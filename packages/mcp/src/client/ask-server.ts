import type { Client } from '@modelcontextprotocol/client';
import { checkAborted, quoted, SkillsError, type ErrorCode } from '@skillpack/core';

/** A server, as a client reaches it. */
export interface AskedServer {
  readonly client: Client;
  /** What its user calls it. */
  readonly origin: string;
  /** Milliseconds that one answer may take. */
  readonly timeout: number;
}

/** How one answer is asked for. */
export interface AskOptions {
  /** What is asked for, as a message calls it. */
  readonly what: string;
  readonly signal: AbortSignal | undefined;
}

/** What the client of the SDK takes for it. */
export interface SdkRequestOptions {
  readonly timeout: number;
  readonly maxTotalTimeout: number;
  readonly signal?: AbortSignal;
}

/**
 * Asks a server for one answer.
 *
 * @throws `INTERRUPTED`; `TIMEOUT`; `NETWORK_ERROR` where there is no connection (any more); `FILE_NOT_FOUND` for what the
 * server says it does not have; `REGISTRY_ERROR` for whatever else it says, or for an answer that is none.
 */
export async function askServer<Answer>(
  { client, origin, timeout }: AskedServer,
  { what, signal }: AskOptions,
  ask: (options: SdkRequestOptions) => Promise<Answer>,
): Promise<Answer> {
  checkAborted(signal);
  try {
    return await ask({ timeout, maxTotalTimeout: timeout, ...(signal === undefined ? {} : { signal }) });
  } catch (cause) {
    checkAborted(signal);
    const message = cause instanceof Error ? cause.message : String(cause);
    // Without a connection, the client says in several ways what it cannot do.
    const code = client.transport === undefined ? 'NETWORK_ERROR' : codeOf(cause);
    throw new SkillsError(code, `The server ${origin} did not give ${quoted(what)}: ${quoted(message, 300)}.`, {
      hint: hints[code],
      data: { origin },
      cause,
    });
  }
}

const hints: Readonly<Partial<Record<ErrorCode, string>>> = {
  NETWORK_ERROR: 'Connect to the server again.',
  TIMEOUT: 'Try again, or give it more time.',
  FILE_NOT_FOUND: 'The skill may have changed: read the index again.',
};

const notFound: readonly unknown[] = [-32_602, -32_002];

/** By the codes of the SDK and of the protocol: two copies of the SDK in one process are normal. */
function codeOf(error: unknown): ErrorCode {
  const code: unknown = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'REQUEST_TIMEOUT':
      return 'TIMEOUT';
    case 'CONNECTION_CLOSED':
    case 'NOT_CONNECTED':
    case 'SEND_FAILED':
      return 'NETWORK_ERROR';
    default:
      return notFound.includes(code) ? 'FILE_NOT_FOUND' : 'REGISTRY_ERROR';
  }
}
