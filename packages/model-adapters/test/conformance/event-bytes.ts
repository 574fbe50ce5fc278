/** How events are written down (WHATWG HTML, 9.2: server-sent events). */
export interface EventStyle {
  /** @default '\n' */
  readonly newline?: '\n' | '\r\n' | '\r' | undefined;
  /** Whether a byte order mark stands before all. @default false */
  readonly mark?: boolean | undefined;
  /** Whether a blank stands behind the colon. @default true */
  readonly blank?: boolean | undefined;
  /** Whether comments, ids and fields that nobody knows stand between events. @default false */
  readonly noise?: boolean | undefined;
}

/** Events as the bytes of a stream. One that is JSON with a `type` is named by it. */
export function eventBytes(events: readonly string[], style: EventStyle = {}): Uint8Array {
  const { newline = '\n', mark = false, blank = true, noise = false } = style;
  const colon = blank ? ': ' : ':';
  const texts = events.map((data) => {
    const type = /^\{"type":"(\w+)"/u.exec(data)?.[1];
    const lines = [
      ...(noise ? [': a comment', 'id: 7', 'retry: 10', 'unknown: field', 'field without a colon'] : []),
      ...(type === undefined ? [] : [`event${colon}${type}`]),
      `data${colon}${data}`,
      '',
    ];
    return lines.map((line) => line + newline).join('');
  });
  return new TextEncoder().encode((mark ? '\uFEFF' : '') + texts.join(''));
}
