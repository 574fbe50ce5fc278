/**
 * Whether the front matter that a server told is that of the SKILL.md it gave. Readers of YAML differ in what they make
 * of a plain `1.10` or `yes`, and in line breaks, so values are compared by what they say, not by their types.
 *
 * @param told as JSON of another reader.
 * @param read as this project reads it.
 */
export function isSameFrontMatter(told: unknown, read: unknown): boolean {
  if (isMap(told) && isMap(read)) {
    const keys = new Set([...Object.keys(told), ...Object.keys(read)]);
    return [...keys].every(
      (key) => Object.hasOwn(told, key) && Object.hasOwn(read, key) && isSameFrontMatter(told[key], read[key]),
    );
  }
  if (Array.isArray(told) && Array.isArray(read)) {
    return told.length === read.length && told.every((item, at) => isSameFrontMatter(item, read[at]));
  }
  return isPlain(told) && isPlain(read) && isSamePlain(told, read);
}

type Plain = string | number | boolean | null;

function isSamePlain(told: Plain, read: Plain): boolean {
  if (told === read || spelled(told) === spelled(read)) return true;
  if (typeof told === 'number') return typeof read === 'string' && read.trim() !== '' && Number(read) === told;
  if (typeof told === 'boolean') {
    return typeof read === 'string' && (told ? /^(?:true|yes|on)$/iu : /^(?:false|no|off)$/iu).test(read);
  }
  return told === null && typeof read === 'string' && /^(?:~|null)?$/iu.test(read);
}

function spelled(value: Plain): string {
  return (value === null ? '' : String(value)).replaceAll(/\s+/gu, ' ').trim();
}

function isPlain(value: unknown): value is Plain {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
