import { createHash, type Hash } from 'node:crypto';
import { SkillsError, type ArchiveFile } from '@skillpack/core';
import type { ArchiveBytes } from './archive-bytes.js';

const pieceSize = 512 * 1024;

/**
 * An archive in a file, read from its beginning to its end through a few pieces of memory that are used again and again.
 * Every byte is read once, hashed and handed out from that one reading, so that {@link verify} speaks of the very bytes
 * that were seen, whatever happens to the file meanwhile.
 */
export class ArchiveWindow implements ArchiveBytes {
  readonly #file: ArchiveFile;
  readonly #hash: Hash | undefined;
  /** What is held: the pieces from number {@link #first} on. */
  readonly #pieces: Buffer[] = [];
  readonly #spare: Buffer[] = [];
  #first = 0;
  #glanced: Buffer | undefined;

  /** @param verified whether {@link verify} will be called. */
  constructor(file: ArchiveFile, { verified }: { readonly verified: boolean } = { verified: false }) {
    this.#file = file;
    this.#hash = verified ? createHash('sha256') : undefined;
  }

  get length(): number {
    return this.#file.size;
  }

  piece(start: number): Buffer {
    if (start >= this.length) return Buffer.alloc(0);
    return this.#pieceAt(start).subarray(start % pieceSize);
  }

  slice(start: number, end: number): Buffer {
    const until = Math.min(end, this.length);
    const parts: Buffer[] = [];
    for (let at = start; at < until;) {
      const part = this.piece(at).subarray(0, until - at);
      parts.push(part);
      at += part.length;
    }
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  letGo(start: number): void {
    // The last piece is shorter than the others, and the end of the file.
    while (this.#pieces.length > 1 && (this.#first + 1) * pieceSize <= start) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) this.#spare.push(piece);
      this.#first += 1;
    }
  }

  glance(start: number, end: number): Buffer {
    const size = Math.max(0, Math.min(end, this.length) - start);
    if (this.#glanced === undefined || this.#glanced.length < size) this.#glanced = Buffer.allocUnsafeSlow(size);
    return this.#glanced.subarray(0, this.#file.read(this.#glanced.subarray(0, size), start));
  }

  /**
   * Reads what was not asked for yet; nothing is asked for afterwards.
   *
   * @throws `INTEGRITY_MISMATCH` when it does not have the digest of the file, `IO_ERROR`.
   */
  verify(): void {
    for (let at = this.#first * pieceSize; at < this.length; at += pieceSize) {
      this.letGo(at);
      this.#pieceAt(at);
    }
    const actual = `sha256:${this.#hash?.digest('hex')}`;
    if (actual !== this.#file.digest) throw changed(this.#file, actual);
  }

  #pieceAt(position: number): Buffer {
    const index = Math.floor(position / pieceSize) - this.#first;
    while (this.#pieces.length <= index) this.#pieces.push(this.#readNext());
    const piece = this.#pieces[index];
    if (piece === undefined) throw new Error(`The bytes at ${position} were let go.`);
    return piece;
  }

  #readNext(): Buffer {
    const start = (this.#first + this.#pieces.length) * pieceSize;
    const size = Math.min(pieceSize, this.length - start);
    const buffer = (this.#spare.pop() ?? Buffer.allocUnsafeSlow(Math.min(pieceSize, this.length))).subarray(0, size);
    const read = this.#file.read(buffer, start);
    if (read < size) throw changed(this.#file, `that of ${start + read} bytes`);
    this.#hash?.update(buffer);
    return buffer;
  }
}

/**
 * An archive in a file, read into memory.
 *
 * @throws `INTEGRITY_MISMATCH` when it does not have its digest, `IO_ERROR`.
 */
export function readWhole(file: ArchiveFile): Buffer {
  const window = new ArchiveWindow(file, { verified: true });
  const bytes = Buffer.allocUnsafeSlow(file.size);
  for (let at = 0; at < bytes.length; window.letGo(at)) at += window.piece(at).copy(bytes, at);
  window.verify();
  return bytes;
}

function changed({ digest }: ArchiveFile, actual: string): SkillsError {
  return new SkillsError('INTEGRITY_MISMATCH', `The archive had the digest ${digest}, and now has ${actual}.`, {
    hint: 'The file changed in between. Nothing of it must be used; do it again.',
    data: { expected: digest, actual },
  });
}
