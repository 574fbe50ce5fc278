/** An IP address as numbers: four bytes of IPv4, or eight groups of 16 bits of IPv6. */
export type IpAddress =
  | { readonly kind: 'v4'; readonly bytes: readonly number[] }
  | { readonly kind: 'v6'; readonly groups: readonly number[] };

const byte = /^(?:0|[1-9]\d{0,2})$/u;
const group = /^[\dA-Fa-f]{1,4}$/u;

/**
 * Reads an IP address in its plain form: decimal bytes without leading zeros, or groups of hexadecimal digits, without
 * brackets and without a zone. `undefined` for anything else, also for forms that some systems take for an address: what
 * two readers read differently is none.
 */
export function parseIpAddress(text: string): IpAddress | undefined {
  if (text.includes(':')) {
    const groups = groupsOf(text);
    return groups === undefined ? undefined : { kind: 'v6', groups };
  }
  const bytes = bytesOf(text);
  return bytes === undefined ? undefined : { kind: 'v4', bytes };
}

function bytesOf(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => byte.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((value) => value <= 255) ? bytes : undefined;
}

function groupsOf(text: string): readonly number[] | undefined {
  const [head = '', tail, ...more] = text.split('::');
  if (more.length > 0) return undefined;
  const before = sideOf(head, tail === undefined);
  const after = sideOf(tail ?? '', true);
  if (before === undefined || after === undefined) return undefined;
  const missing = 8 - before.length - after.length;
  if (tail === undefined) return missing === 0 ? before : undefined;
  // `::` stands for at least one group.
  return missing < 1 ? undefined : [...before, ...Array.from({ length: missing }, () => 0), ...after];
}

/** The groups of one side of `::`; the last two of an address may be written as an IPv4 address. */
function sideOf(text: string, atEnd: boolean): readonly number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const last = parts.at(-1) ?? '';
  const embedded = atEnd && last.includes('.') ? bytesOf(last) : undefined;
  const plain = embedded === undefined ? parts : parts.slice(0, -1);
  if (!plain.every((part) => group.test(part))) return undefined;
  const groups = plain.map((part) => Number.parseInt(part, 16));
  if (embedded === undefined) return groups;
  const [a = 0, b = 0, c = 0, d = 0] = embedded;
  return [...groups, a * 256 + b, c * 256 + d];
}
