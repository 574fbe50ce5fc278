// Names of query parameters that carry a secret: plain tokens, and the signatures of presigned URLs.
const secretName =
  /token|secret|passw|passphrase|pwd|credential|signature|auth(?!or)|session|jwt|(?:api|access|private)[-_]?key|^(?:sig|key|code|pass|pat)$/iu;
// Of what is no URL nobody can tell where its user name ends: its query and its fragment go, and everything up to the
// last `@`.
const brokenUrl = /^((?:[a-z][a-z0-9+.-]*:)?\/\/|(?:https?|wss?|ftp):[\\/]*)(?:[^?]*@)?([^?#]*)(?:[?#].*)?$/isu;
// Where a URL begins that stands within another, as it is or encoded, and what may be its user name, password and host.
// All up to the end of these is taken, with an `@` or without, so that no character is looked at twice.
const nestedUrl =
  /((?:https?|wss?|ftp)(?::|%(?:25)*3A)(?:[\\/]|%(?:25)*(?:2F|5C))*|(?::|%(?:25)*3A)(?:\/|%(?:25)*2F){2})((?:(?!%(?:25)*(?:2F|5C|3F|23|26))[^\\/?#&\s])*)/giu;

/**
 * A URL as it may stand in a message, a log or a lock file: without user name and password, and without query
 * parameters (or a fragment) that by their names hold a token, a key or a signature; the same of a URL that stands in
 * its path or its query. A URL that has none of these is returned as it is; a text that begins like a URL and is none
 * loses all up to its last `@`, its query and its fragment.
 */
export function withoutCredentials(url: string): string {
  if (!URL.canParse(url)) return withoutNested(url.replace(brokenUrl, '$1$2'));
  const parsed = new URL(url);
  const parameters = [...parsed.searchParams];
  const secrets = new Set(
    parameters.flatMap(([name, value]) => (secretName.test(name) || namesSecret(value) ? [name] : [])),
  );
  const secretFragment = /[=&:]/u.test(parsed.hash) && secretName.test(parsed.hash);
  if (parsed.username === '' && parsed.password === '' && secrets.size === 0 && !secretFragment) {
    const clean = withoutNested(parsed.href);
    return clean === parsed.href ? url : clean;
  }
  parsed.username = '';
  parsed.password = '';
  if (secrets.size > 0) {
    // All at once: each change of `searchParams` writes the whole URL anew.
    const others = parameters.filter(([name]) => !secrets.has(name));
    parsed.search = new URLSearchParams(others).toString();
  }
  if (secretFragment) parsed.hash = '';
  return withoutNested(parsed.href);
}

/** Whether a query parameter of this name carries a secret. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}

/** Whether a value has parameters of its own, and one of them by its name holds a secret. */
function namesSecret(value: string): boolean {
  return [...value.matchAll(/[?&;#]([^?&;#=]*)=/gu)].some(([, name = '']) => secretName.test(name));
}

function withoutNested(url: string): string {
  return url.replace(
    nestedUrl,
    (_, start: string, authority: string) => start + (authority.split(/@|%(?:25)*40/iu).at(-1) ?? ''),
  );
}

/**
 * A text in which every URL is {@link withoutCredentials}. Where a URL ends in a text can only be guessed: it ends at a
 * blank and at a quotation mark, so of a password that holds one of these a part may stay. Whoever has the URL by itself
 * calls {@link withoutCredentials}.
 */
export function textWithoutCredentials(text: string): string {
  return text.replace(/(?:(?:https?|wss?|ftp):[\\/]*|:\/\/)[^\s"<>“”]+/giu, (match: string, at: number) => {
    // Both by hand: a regular expression would look for a scheme, and for the end, in quadratic time.
    const scheme = schemeBefore(text, at) || (match.startsWith(':') ? 'x' : '');
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
