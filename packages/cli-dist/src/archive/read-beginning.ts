/** The first bytes of a file that arrives in pieces, `most` at most; all of it is read. The copy may be kept. */
export async function readBeginning(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most: number,
): Promise<Uint8Array> {
  const taken: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    if (length >= most) continue;
    // Not by slice(), which of a Buffer is no copy.
    taken.push(new Uint8Array(chunk.subarray(0, most - length)));
    length += chunk.length;
  }
  return Buffer.concat(taken);
}
