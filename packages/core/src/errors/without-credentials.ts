// Names of query parameters that carry a secret: plain tokens, and the signatures of presigned URLs.
const secretName = /token|secret|passw|pwd|credential|signature|auth|session|jwt|api[-_]?key|^sig$|^key$|^code$/iu;
const userInfo = /^([a-z][a-z0-9+.-]*:)?\/\/[^/?#]*@/iu;

/**
 * A URL as it may stand in a message, a log or a lock file: without user name and password, and without query
 * parameters (or a fragment) that by their names hold a token, a key or a signature. A URL that has none of these is
 * returned as it is; a text that is no URL loses what stands before an `@` after `//`.
 */
export function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return url.replace(userInfo, '$1//').replace(/\?.*$/su, '');
  const parsed = new URL(url);
  const secrets = [...parsed.searchParams.keys()].filter((name) => secretName.test(name));
  const secretFragment = /[=&]/u.test(parsed.hash) && secretName.test(parsed.hash);
  if (parsed.username === '' && parsed.password === '' && secrets.length === 0 && !secretFragment) return url;
  parsed.username = '';
  parsed.password = '';
  for (const name of secrets) parsed.searchParams.delete(name);
  if (secretFragment) parsed.hash = '';
  return parsed.href;
}

/** A text in which every URL is {@link withoutCredentials}. */
export function textWithoutCredentials(text: string): string {
  return text.replace(/\b[a-z][a-z0-9+.-]{0,31}:\/\/[^\s"<>“”]+/giu, (match) => {
    // A full stop or a bracket after a URL belongs to the sentence.
    const end = /[.,;:!?)\]}’'`]+$/u.exec(match)?.index ?? match.length;
    return withoutCredentials(match.slice(0, end)) + match.slice(end);
  });
}
