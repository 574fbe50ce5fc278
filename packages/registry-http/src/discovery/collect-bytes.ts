const firstRoom = 16 * 1024;

/**
 * All bytes of a stream, however small its pieces are.
 *
 * @param maxBytes how many there may be; what `tooMany` makes is thrown before more are kept.
 */
export async function collectBytes(
  stream: ReadableStream<Uint8Array>,
  { maxBytes, tooMany }: { readonly maxBytes: number; readonly tooMany: () => Error },
): Promise<Uint8Array<ArrayBuffer>> {
  // Not `for await`: not every browser goes through a stream so.
  const reader = stream.getReader();
  let room = new Uint8Array(firstRoom);
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return room.slice(0, filled);
      if (filled + value.length > maxBytes) throw tooMany();
      if (filled + value.length > room.length) {
        const larger = new Uint8Array(Math.min(Math.max(2 * room.length, filled + value.length), maxBytes));
        larger.set(room.subarray(0, filled));
        room = larger;
      }
      room.set(value, filled);
      filled += value.length;
    }
  } finally {
    // Of a stream that has ended, nothing is left to cancel; one that broke says again that it did.
    reader.cancel().catch(() => undefined);
  }
}
