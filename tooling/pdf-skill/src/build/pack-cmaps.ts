import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * Packs a folder of `*.bcmap` files, as `pdfjs-dist` ships them under `cmaps/`, into the one file that
 * `src/script/character-maps.ts` reads: a line of JSON (name to length, in order), then the contents.
 *
 * It is run by hand, `node src/build/pack-cmaps.ts <folder>`, and its result is committed: Adobe changes these maps
 * once in years, and Brotli's output may differ between versions of Node.
 */
export function packCharacterMaps(folder: string): Uint8Array {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.bcmap'))
    .toSorted();
  const maps = names.map((name) => readFileSync(join(folder, name)));
  const index = Object.fromEntries(names.map((name, at) => [name.replace(/\.bcmap$/u, ''), maps[at]?.length ?? 0]));
  const plain = Buffer.concat([Buffer.from(`${JSON.stringify(index)}\n`), ...maps]);
  return brotliCompressSync(plain, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 },
  });
}

const [folder] = process.argv.slice(2);
if (import.meta.main && folder !== undefined) {
  writeFileSync(join(import.meta.dirname, '../script/character-maps.br'), packCharacterMaps(folder));
}
