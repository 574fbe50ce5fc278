import { SkillsError, visibleText } from '@skillpack/core';

const certificate = /^(?:CERT_|ERR_TLS_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/u;
const longestReason = 500;

/**
 * What failed while a URL was asked for, as an error that a model can act on.
 *
 * @param what what messages call the request.
 * @throws what has no code: that is a defect, and no failure of a network.
 */
export function httpFailure(thrown: unknown, what: string): SkillsError {
  if (SkillsError.is(thrown)) return thrown;
  const inner = innermost(thrown);
  if (SkillsError.is(inner)) return inner;
  const code = codeOf(inner);
  if (code === '') throw thrown;
  const data = { code };
  if (code === 'ETIMEDOUT')
    return new SkillsError('TIMEOUT', `${what}: nothing came in time.`, { cause: thrown, data });
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return new SkillsError('FILE_TOO_LARGE', `${what}: the headers of the answer are too large.`, {
      cause: thrown,
      data,
    });
  }
  const reason = inner instanceof Error ? visibleText(inner.message.slice(0, longestReason)) : '';
  return new SkillsError('NETWORK_ERROR', `${what} failed: ${code}, ${reason}.`, {
    cause: thrown,
    hint: hintOf(code),
    data,
  });
}

function hintOf(code: string): string {
  if (certificate.test(code)) return 'The certificate of the server is not trusted here, so nothing was sent.';
  if (code === 'ENOTFOUND') return 'Look at the spelling of the host.';
  if (code.startsWith('Z_') || code.startsWith('ERR__'))
    return 'The answer cannot be unpacked as its content-encoding says.';
  return 'Try again later, or ask elsewhere.';
}

function innermost(error: unknown): unknown {
  // Of several attempts on several addresses, the first failure says most.
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  if (SkillsError.is(error) || !(error instanceof Error) || codeOf(error) !== '') return error;
  return error.cause instanceof Error ? innermost(error.cause) : error;
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name === 'HTTPParserError' ? 'HPE_INVALID' : '';
}
