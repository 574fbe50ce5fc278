import { isSecretName, withoutCredentials } from '../../errors/without-credentials.js';
import { tokenMark } from './redact-tokens.js';

const valueMark = '[redacted:value]';

/**
 * A text in whose URLs a mark stands in the place of user names and passwords, and of parameters that by their names and
 * values hold a secret. What a parameter of such a name holds that is plainly none, as `?code=python` or
 * `?key=$API_KEY`, stays. Of a URL that stands within the path of another, credentials go without a mark.
 */
export function redactUrls(text: string): string {
  return text.replace(/(?:(?:https?|wss?|ftp):[\\/]*|:\/\/)[^\s"<>“”]+/giu, (match: string, at: number) => {
    const scheme = schemeBefore(text, at) || (match.startsWith(':') ? 'x' : '');
    // A full stop or a bracket after a URL belongs to the sentence. By hand: a regular expression takes quadratic time.
    let end = match.length;
    while (end > 0 && ".,;:!?)]}’'`".includes(match.charAt(end - 1))) end -= 1;
    return redactUrl(scheme + match.slice(0, end)).slice(scheme.length) + match.slice(end);
  });
}

function schemeBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && /[a-z0-9+.-]/iu.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end).replace(/^[^a-z]+/iu, '');
}

function redactUrl(url: string): string {
  if (!URL.canParse(url)) {
    // Of what is no URL nobody can tell which part is which.
    const clean = withoutCredentials(url);
    return clean === url ? url : clean + tokenMark;
  }
  const [beforeFragment = '', ...fragment] = url.split('#');
  const [base = '', ...query] = beforeFragment.split('?');
  const parts = [redactBase(base)];
  if (query.length > 0) parts.push('?', redactParameters(query.join('?')));
  if (fragment.length > 0) parts.push('#', redactParameters(fragment.join('#')));
  return parts.join('');
}

function redactBase(base: string): string {
  const [, start = '', authority = '', path = ''] = /^([^:]*:[\\/]*)([^\\/]*)(.*)$/su.exec(base) ?? [];
  const at = authority.lastIndexOf('@');
  const rest = withoutCredentials(start + authority.slice(at <= 0 ? 0 : at + 1) + path);
  if (at <= 0) return rest;
  return `${start}${valueMark}@${rest.slice(start.length)}`;
}

function redactParameters(text: string): string {
  return text.split('&').map(redactParameter).join('&');
}

function redactParameter(parameter: string): string {
  const equals = parameter.indexOf('=');
  if (equals === -1) return redactAlone(parameter);
  const [name, value] = [parameter.slice(0, equals), parameter.slice(equals + 1)];
  // Another URL may stand in the name as well.
  if (/[:%+]/u.test(name)) return isClean(parameter) && isClean(`x=${name}`) ? parameter : tokenMark;
  if (isSecretName(name)) return isPlain(name, value) ? parameter : `${name}=${tokenMark}`;
  return isCleanValue(value) ? parameter : `${name}=${tokenMark}`;
}

/** Of a part that is no name and value: a URL, or as in fragments `token:abc`. */
function redactAlone(part: string): string {
  if (placeholder.test(part)) return part;
  const named = part.includes(':') && isSecretName(part.slice(0, part.indexOf(':')));
  return named || !isCleanValue(part) ? tokenMark : part;
}

/** A value, as whoever reads the URL decodes it, which takes long: where nothing can be a secret, it is not tried. */
function isCleanValue(value: string): boolean {
  return !/[@%=]/u.test(value) || isClean(`x=${value}`);
}

function isClean(parameter: string): boolean {
  const url = `https://x/?${parameter}`;
  return withoutCredentials(url) === url;
}

// Without what may close them, which can belong to the sentence.
const placeholder = /^(?:|\$\{?[A-Z][A-Z0-9_]*\}?|\{+[\w.]*\}*|\[redacted:(?:value|token|private-key)\]?)$/u;

// Names that more often hold something else than a secret.
const ambiguous = /^(?:code|key|session|auth)$/iu;

function isPlain(name: string, value: string): boolean {
  return placeholder.test(value) || (ambiguous.test(name) && /^(?:[a-z]{1,15}|\d{1,5})$/iu.test(value));
}
