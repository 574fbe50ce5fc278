/** The beginnings by which common kinds of files are known, in the order in which they are tried. */
const signatures: readonly (readonly [at: number, hex: string, kind: string])[] = [
  [0, '89504e470d0a1a0a', 'a PNG image'],
  [0, 'ffd8ff', 'a JPEG image'],
  [0, '474946383761', 'a GIF image'],
  [0, '474946383961', 'a GIF image'],
  [8, '57454250', 'a WebP image'],
  [0, '00000100', 'an icon'],
  [0, '49492a00', 'a TIFF image'],
  [0, '4d4d002a', 'a TIFF image'],
  [0, '25504446', 'a PDF document'],
  [0, 'd0cf11e0a1b11ae1', 'an old Office document'],
  [0, '504b0304', 'a zip archive'],
  [0, '504b0506', 'an empty zip archive'],
  [0, '1f8b', 'a gzip archive'],
  [0, '425a68', 'a bzip2 archive'],
  [0, 'fd377a585a00', 'an xz archive'],
  [0, '28b52ffd', 'a Zstandard archive'],
  [0, '377abcaf271c', 'a 7z archive'],
  [257, '7573746172', 'a tar archive'],
  [0, '7f454c46', 'a program for Linux (ELF)'],
  [0, '4d5a', 'a program for Windows'],
  [0, 'cffaedfe', 'a program for macOS'],
  [0, 'cafebabe', 'a program for macOS, or a Java class'],
  [0, '0061736d', 'a WebAssembly module'],
  [0, '53514c69746520666f726d6174203300', 'an SQLite database'],
  [0, '774f4646', 'a web font'],
  [0, '774f4632', 'a web font'],
  [0, '0001000000', 'a TrueType font'],
  [0, '4f54544f', 'an OpenType font'],
  [0, '494433', 'an MP3 recording'],
  [0, '4f676753', 'an Ogg recording'],
  [0, '664c6143', 'a FLAC recording'],
  [8, '57415645', 'a WAV recording'],
  [4, '66747970', 'an MP4 file'],
  [0, '1a45dfa3', 'a Matroska or WebM video'],
  [0, 'fffe', 'text in UTF-16'],
  [0, 'feff', 'text in UTF-16'],
  [0, '50415231', 'a Parquet table'],
  [0, '4152524f5731', 'an Arrow table'],
];

const zipped: Readonly<Record<string, string>> = {
  docx: 'a Word document',
  xlsx: 'an Excel workbook',
  pptx: 'a PowerPoint presentation',
  odt: 'an OpenDocument text',
  ods: 'an OpenDocument table',
  epub: 'an EPUB book',
  jar: 'a Java archive',
  whl: 'a Python wheel',
};

/** What a file that is no text is, by its first bytes: `a PNG image`, `binary data`. */
export function describeBinary(path: string, bytes: Uint8Array): string {
  const found = signatures.find(([at, hex]) => hexOf(bytes.subarray(at, at + hex.length / 2)) === hex);
  if (found === undefined) return 'binary data';
  const [, , kind] = found;
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return kind === 'a zip archive' && Object.hasOwn(zipped, extension) ? (zipped[extension] ?? kind) : kind;
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
