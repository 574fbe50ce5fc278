/** The bytes of an archive, as whoever reads it from its beginning to its end asks for them. */
export interface ArchiveBytes {
  readonly length: number;
  /** Some bytes from `start` on, as many as lie together; none at the end. */
  piece(start: number): Buffer;
  /** The bytes from `start` to `end`, or to the end of the archive. */
  slice(start: number, end: number): Buffer;
  /** Nothing before `start` is asked for again by {@link piece} or {@link slice}, and what they gave of it may be reused. */
  letGo(start: number): void;
  /** Bytes from anywhere, to be looked at before anything else is asked for: nothing is made of them. */
  glance(start: number, end: number): Buffer;
}

const pieceSize = 1024 * 1024;

/** Those of an archive in memory, or of a part of one. */
export function bytesInMemory(bytes: Buffer): ArchiveBytes {
  return {
    length: bytes.length,
    piece: (start) => bytes.subarray(start, start + pieceSize),
    slice: (start, end) => bytes.subarray(start, end),
    letGo() {},
    glance: (start, end) => bytes.subarray(start, end),
  };
}
