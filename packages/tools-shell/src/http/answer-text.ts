const textTypes =
  /^(?:text\/.*|application\/(?:.*[+-])?(?:json|json5|xml|javascript|ecmascript|typescript|yaml|toml|graphql|sql|sh|ndjson|jsonl|json-seq|x-www-form-urlencoded|problem|rtf|csv)|image\/svg\+xml|multipart\/.*|message\/.*)$/u;

/**
 * The text that a body is, decoded as its type says, or `undefined` for what is none: another type, a content coding that
 * was not taken away, or a NUL among its characters. What has no type is a text when it is UTF-8.
 */
export function answerText(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';');
  const named = type.trim();
  if (named !== '' && named !== 'application/octet-stream' && !textTypes.test(named)) return undefined;
  const known = textTypes.test(named);
  const text = decode(bytes, known ? charsetOf(parameters) : 'utf-8', !known);
  return text?.includes('\0') === true ? undefined : text;
}

function charsetOf(parameters: readonly string[]): string {
  const [, charset = 'utf-8'] =
    /^\s*charset\s*=\s*"?([\w.:-]+)"?\s*$/u.exec(parameters.find((one) => one.includes('charset')) ?? '') ?? [];
  return charset;
}

function decode(bytes: Uint8Array, charset: string, fatal: boolean): string | undefined {
  // What begins so is no other encoding.
  const utf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  try {
    return decoderOf(utf8 ? 'utf-8' : charset, fatal).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Of an encoding that nobody knows, the letters of ASCII can be read as in UTF-8. */
function decoderOf(charset: string, fatal: boolean): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(charset, { fatal });
  } catch {
    return new TextDecoder('utf-8', { fatal });
  }
}
