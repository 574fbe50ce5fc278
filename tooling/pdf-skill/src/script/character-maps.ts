import { brotliDecompressSync } from 'node:zlib';
import packed from './character-maps.br';

let maps: ReadonlyMap<string, Uint8Array> | undefined;

/**
 * Adobe's character maps, which say what the codes of a Chinese, Japanese or Korean font mean when the document leaves
 * it to the reader to know. Unpacked at the first call.
 */
export function characterMap(name: string): Uint8Array | undefined {
  maps ??= unpack(brotliDecompressSync(packed));
  return maps.get(name);
}

function unpack(bytes: Buffer): ReadonlyMap<string, Uint8Array> {
  const end = bytes.indexOf('\n');
  // Packed by pack-cmaps.ts: names to lengths, in the order of the contents.
  const index = JSON.parse(bytes.toString('utf8', 0, end)) as Readonly<Record<string, number>>;
  let offset = end + 1;
  return new Map(
    Object.entries(index).map(([name, length]) => {
      const start = offset;
      offset += length;
      return [name, new Uint8Array(bytes.subarray(start, offset))];
    }),
  );
}
