/** What YAML 1.2 (core schema, with the dates of YAML 1.1) takes an unquoted scalar for. */
export type PlainKind = 'text' | 'null' | 'boolean' | 'number' | 'date';

const integer = /^[-+]?(?:[0-9]+|0b[01]+|0o[0-7]+|0x[0-9a-fA-F]+)$/u;
const float =
  /^(?:[-+]?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/u;
const date =
  /^[0-9]{4}-(?:[0-9]{2}-[0-9]{2}|[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$/u;
const longest = 64;
// Whatever is no text begins with one of these.
const firstOfOthers = '~nNtTfF+-.0123456789';

/** The kind of an unquoted scalar. */
export function plainKind(source: string): PlainKind {
  if (source !== '' && !firstOfOthers.includes(source.charAt(0))) return 'text';
  if (/^(?:~|null|Null|NULL|)$/u.test(source)) return 'null';
  if (/^(?:true|True|TRUE|false|False|FALSE)$/u.test(source)) return 'boolean';
  if (source.length > longest) return 'text';
  if (integer.test(source) || float.test(source)) return 'number';
  return date.test(source) ? 'date' : 'text';
}

/** The value of an unquoted scalar, where writing that value again gives the same text; else the text. */
export function losslessValue(source: string): string | number | boolean | null {
  switch (plainKind(source)) {
    case 'null':
      return null;
    case 'boolean':
      return source === 'true' ? true : source === 'false' ? false : source;
    case 'number':
      return String(Number(source)) === source ? Number(source) : source;
    case 'date':
    case 'text':
      return source;
  }
}

/** The text that a tool gets which reads an unquoted number first and turns it into text afterwards. */
export function canonicalText(source: string): string {
  switch (plainKind(source)) {
    case 'null':
      return 'null';
    case 'boolean':
      return source.toLowerCase();
    case 'number':
      return integer.test(source) ? String(canonicalInteger(source)) : String(Number(source));
    case 'date':
    case 'text':
      return source;
  }
}

function canonicalInteger(source: string): number {
  const negative = source.startsWith('-');
  const digits = source.replace(/^[-+]/u, '');
  const value = /^0[box]/u.test(digits) ? Number(digits) : Number.parseInt(digits, 10);
  return negative ? -value : value;
}
