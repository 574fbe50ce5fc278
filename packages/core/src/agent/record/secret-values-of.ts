const secretName =
  /token|secret|passw|passphrase|credential|api_?key|access_?key|private_?key|signing_?key|auth|session|cookie|jwt|(?:^|_)(?:pwd|pass|pat|key)$/iu;
// Where a secret is, or how it is reached, is none; nor is who has it.
const harmlessName =
  /(?:_(?:file|path|dir|sock|socket|id|url|uri|host|port|user|name|type|class|desktop|seat|pid|address))$|^(?:xauthority|session_manager|oldpwd|pwd)$/iu;
const minLength = 6;

/**
 * The values of environment variables that by their names hold a secret, and the passwords of URLs in any of them: for
 * {@link createRedactor}. Values of fewer than six characters, numbers, words of configuration (`true`, `development`)
 * and absolute paths are none.
 */
export function secretValuesOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const values = new Set<string>();
  for (const [name, value = ''] of Object.entries(environment)) {
    if (secretName.test(name) && !harmlessName.test(name) && looksSecret(value)) values.add(value);
    for (const password of passwordsIn(value)) values.add(password);
  }
  return [...values];
}

function looksSecret(value: string): boolean {
  return value.trim().length >= minLength && !/^(?:\d+|[a-z]+|(?:\/|[A-Za-z]:\\).*)$/u.test(value.trim());
}

function passwordsIn(value: string): readonly string[] {
  if (!value.includes('://') || !URL.canParse(value)) return [];
  const { password } = new URL(value);
  return [password, decoded(password)].filter((text) => text.length >= minLength);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
