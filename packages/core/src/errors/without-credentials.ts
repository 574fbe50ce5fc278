// Names of query parameters that carry a secret: plain tokens, and the signatures of presigned URLs.
const secretName =
  /token|secret|passw|pwd|credential|signature|auth(?!or)|session|jwt|api[-_]?key|^sig$|^key$|^code$/iu;
// Of what is no URL nobody can tell where its user name ends: its query goes, and everything up to the last `@`.
const brokenUrl = /^((?:[a-z][a-z0-9+.-]*:)?\/\/)(?:[^?]*@)?([^?]*)(?:\?.*)?$/isu;

/**
 * A URL as it may stand in a message, a log or a lock file: without user name and password, and without query
 * parameters (or a fragment) that by their names hold a token, a key or a signature. A URL that has none of these is
 * returned as it is; a text that begins like a URL and is none loses all up to its last `@`, and its query.
 */
export function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return url.replace(brokenUrl, '$1$2');
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
  return text.replace(/:\/\/[^\s"<>“”]+/gu, (match: string, at: number) => {
    // Both by hand: a regular expression would look for a scheme, and for the end, in quadratic time.
    const scheme = schemeBefore(text, at) || 'x';
    // A full stop or a bracket after a URL belongs to the sentence.
    let end = match.length;
    while (end > 0 && ".,;:!?)]}’'`".includes(match.charAt(end - 1))) end -= 1;
    return withoutCredentials(scheme + match.slice(0, end)).slice(scheme.length) + match.slice(end);
  });
}

function schemeBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && /[a-z0-9+.-]/iu.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, end).replace(/^[^a-z]+/iu, '');
}
