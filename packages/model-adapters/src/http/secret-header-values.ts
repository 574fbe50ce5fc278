const secretName =
  /auth|key|token|secret|cookie|credential|session|passw|passphrase|pwd|signature|jwt|(?:^|[-_])(?:pass|pat|sig)(?:$|[-_])/iu;

/**
 * What of headers, or of the parameters of a query, is a secret by its name, in each form in which a server may repeat it: the whole value,
 * what follows the scheme (`Bearer …`), and the values of cookies.
 */
export function secretHeaderValues(headers: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (typeof value !== 'string' || !secretName.test(name)) return [];
    const cookies = /cookie/iu.test(name) ? value.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1)) : [];
    return [value, value.replace(/^\S+\s+/u, ''), ...cookies].map((secret) => secret.trim()).filter(Boolean);
  });
}
