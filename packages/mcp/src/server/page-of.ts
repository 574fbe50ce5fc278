import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

const pageSize = 100;
const prefix = 'after:';

/** A part of a list, and how to go on. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor?: string;
}

/**
 * The page after a cursor. A cursor names the last item that was told, so that a list which changes between two pages
 * tells nothing twice and leaves out nothing that was there all the time.
 *
 * @param items by key, in the order of UTF-16 code units.
 * @throws `InvalidParams` of the protocol for what is no cursor.
 */
export function pageOf<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  cursor: string | undefined,
): Page<Item> {
  if (cursor !== undefined && !cursor.startsWith(prefix)) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no page after this cursor.');
  }
  const after = cursor?.slice(prefix.length);
  const start = after === undefined ? 0 : items.findIndex((item) => keyOf(item) > after);
  const page = start === -1 ? [] : items.slice(start, start + pageSize);
  const last = page.at(-1);
  if (last === undefined || start + pageSize >= items.length) return { items: page };
  return { items: page, nextCursor: `${prefix}${keyOf(last)}` };
}
