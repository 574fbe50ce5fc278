import { checkAborted, SkillsError, untilAborted, withoutCredentials } from '@skillpack/core';
import { collectBytes } from './collect-bytes.js';

/** How something is fetched. */
export interface FetchBytesOptions {
  /** An answer with more is refused: before it is read where its headers say so, else while it arrives. */
  readonly maxBytes: number;
  /** Milliseconds for the whole of it. */
  readonly timeout: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * The body of the answer to a GET that carries nothing of whoever asks: no cookies, no token, no referrer. It follows no
 * redirect, since a page cannot judge where one leads before it was followed.
 *
 * @throws `NETWORK_ERROR`, `TIMEOUT`, `INTERRUPTED`, `FILE_TOO_LARGE`; `UNAUTHORIZED` for 401 and 403, `REGISTRY_ERROR`
 * for every other answer that is no success.
 */
export async function fetchBytes(
  url: URL,
  fetch: typeof globalThis.fetch,
  { maxBytes, timeout, signal }: FetchBytesOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const shown = withoutCredentials(url.href);
  const late = AbortSignal.timeout(timeout);
  const stop = signal === undefined ? late : AbortSignal.any([signal, late]);
  try {
    return await untilAborted(async () => {
      const response = await fetch(url, {
        credentials: 'omit',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        signal: stop,
      });
      return readBody(response, shown, maxBytes);
    }, stop);
  } catch (cause) {
    checkAborted(signal, `Fetching ${shown}`);
    if (late.aborted) {
      throw new SkillsError('TIMEOUT', `${shown} was not there after ${timeout} ms.`, {
        hint: 'Try again; the connection or the server is overloaded.',
        data: { milliseconds: timeout },
      });
    }
    if (SkillsError.is(cause)) throw cause;
    throw new SkillsError('NETWORK_ERROR', `${shown} cannot be fetched.`, {
      hint: 'It is out of reach, answers with a redirect, which is not followed, or does not allow this page to read it (CORS).',
      cause,
    });
  }
}

async function readBody(response: Response, shown: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const refusal = refuseStatus(response, shown) ?? refuseLength(response, shown, maxBytes);
  if (refusal !== undefined) {
    // Whether it can be broken off or has broken already is all the same.
    response.body?.cancel().catch(() => undefined);
    throw refusal;
  }
  if (response.body === null) return new Uint8Array();
  return collectBytes(response.body, { maxBytes, tooMany: () => tooLarge(shown, maxBytes) });
}

function refuseStatus({ ok, status }: Response, shown: string): SkillsError | undefined {
  if (ok) return undefined;
  if (status === 401 || status === 403) {
    return new SkillsError('UNAUTHORIZED', `${shown} wants a valid token (${status}).`, {
      hint: 'Hand in a `fetch` that sends one.',
      data: { status },
    });
  }
  return new SkillsError('REGISTRY_ERROR', `${shown} answers ${status}.`, {
    hint: status >= 500 ? 'Try again later, or tell whoever runs the server.' : undefined,
    data: { status },
  });
}

function refuseLength({ headers }: Response, shown: string, maxBytes: number): SkillsError | undefined {
  return Number(headers.get('content-length') ?? 0) > maxBytes ? tooLarge(shown, maxBytes) : undefined;
}

function tooLarge(shown: string, maxBytes: number): SkillsError {
  return new SkillsError('FILE_TOO_LARGE', `${shown} has more than ${maxBytes} bytes.`, { data: { maxBytes } });
}
