/** `sha256:` and 64 lower-case hexadecimal digits. */
export type Digest = string & { readonly __brand: 'Digest' };

export const digestPattern: RegExp = /^sha256:[0-9a-f]{64}$/u;

/** Whether `text` is a {@link Digest}. */
export function isDigest(text: string): text is Digest {
  return digestPattern.test(text);
}
