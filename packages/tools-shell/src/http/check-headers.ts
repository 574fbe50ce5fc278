import { quoted, SkillsError } from '@skillpack/core';

const mostHeaders = 32;
const mostBytes = 16 * 1024;
const token = /^[!#$%&'*+.^_`|~\da-z-]+$/u;
// Visible characters of ASCII with blanks between them: what other bytes mean, each reader decides for itself.
const fieldValue = /^(?:[!-~](?:[\t -~]*[!-~])?)?$/u;
/** What the connection decides, and what holds credentials. */
const kept = new Set([
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'cookie',
  'cookie2',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/**
 * The headers that a model gave, by lower-case name.
 *
 * @throws `INVALID_INPUT` for one that would break out of its line, that the tool sets itself, that holds credentials, or
 * that comes twice; and for too many.
 */
export function checkHeaders(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const headers = new Map<string, string>();
  let size = 0;
  for (const [givenName, value] of Object.entries(given)) {
    const name = givenName.toLowerCase();
    if (!token.test(name)) throw wrong(`The header name ${quoted(givenName, 64)} is none.`);
    if (kept.has(name) || name.startsWith('proxy-') || name.startsWith('sec-')) {
      throw wrong(`The header ${name} cannot be set.`, 'Leave it out: the tool sets it, or sends none.');
    }
    if (headers.has(name)) throw wrong(`The header ${name} is there twice.`);
    if (!fieldValue.test(value)) {
      throw wrong(`The value of the header ${name} has line breaks, control characters or letters outside of ASCII.`);
    }
    headers.set(name, value);
    size += name.length + value.length;
  }
  if (headers.size > mostHeaders || size > mostBytes) {
    throw wrong(`The headers are ${headers.size} with ${size} characters; at most ${mostHeaders} with ${mostBytes}.`);
  }
  return Object.fromEntries(headers);
}

function wrong(message: string, hint?: string): SkillsError {
  return new SkillsError('INVALID_INPUT', message, { hint });
}
