import { quoted, SkillsError } from '@skillpack/core';

/** Lets pages of other origins read what a server answers (CORS, Fetch Standard, 3.2). */
export interface CrossOrigin {
  /** The answer to a preflight, by which a browser asks whether it may send a request; `undefined` for any other request. */
  preflight(request: Request): Response | undefined;
  /** Says on an answer who may read it. */
  permit(request: Request, response: Response): Response;
}

/** Headers of a request for which a browser asks first: those of conditions (RFC 9110, 13) and ranges (14). */
const conditions = ['if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'range'];
/** Headers of an answer that a page may see besides those that it always may. */
const exposed = 'accept-ranges, content-range, etag';
/** For how long a browser may remember that it may ask, in seconds. */
const remembered = 86_400;

/**
 * Lets every origin read, or those of a list, or none. A browser never sends cookies along; a token goes into a header
 * of its own, which is allowed where reading needs one.
 *
 * @throws `USAGE` for what is no origin.
 */
export function crossOrigin(
  origins: boolean | readonly string[],
  { bearer }: { readonly bearer: boolean },
): CrossOrigin {
  if (typeof origins !== 'boolean') for (const origin of origins) checkOrigin(origin);
  const headers = bearer ? ['authorization', ...conditions] : conditions;
  const permit = (request: Request, response: Response): Response => {
    if (origins === false) return response;
    const origin = request.headers.get('origin');
    // Whoever keeps the answer must not hand it to a page of another origin.
    if (origins !== true) response.headers.append('vary', 'origin');
    if (origins !== true && (origin === null || !origins.includes(origin))) return response;
    response.headers.set('access-control-allow-origin', origins === true ? '*' : (origin ?? ''));
    response.headers.set('access-control-expose-headers', exposed);
    return response;
  };
  return {
    permit,
    preflight(request) {
      const asked = request.headers.has('origin') && request.headers.has('access-control-request-method');
      if (origins === false || request.method !== 'OPTIONS' || !asked) return undefined;
      const response = permit(request, new Response(null, { status: 204 }));
      if (!response.headers.has('access-control-allow-origin')) return response;
      response.headers.set('access-control-allow-methods', 'GET, HEAD');
      response.headers.set('access-control-allow-headers', headers.join(', '));
      response.headers.set('access-control-max-age', String(remembered));
      return response;
    },
  };
}

function checkOrigin(origin: string): void {
  if (URL.canParse(origin)) {
    const { protocol, host } = new URL(origin);
    // A browser sends an origin in this one spelling.
    if (host !== '' && origin === `${protocol}//${host}`) return;
  }
  throw new SkillsError('USAGE', `${quoted(origin)} is no origin that a browser sends.`, {
    hint: 'Write it as https://app.example.com: scheme and host in small letters, a port that is not the usual one, nothing behind it. Every origin is `true`.',
    data: { origin },
  });
}
