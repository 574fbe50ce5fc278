import type { Digest } from '@skillpack/core';

/** Takes a file as it arrives. */
export interface Receiver {
  /** What has arrived, in bytes. */
  readonly length: number;
  /** The file comes from its beginning. @param expected what is announced, in bytes; need not be true. */
  restart(expected: number): void;
  /** Takes a piece over: nobody else may look at it any more. */
  add(chunk: Uint8Array): void;
  /** Of all that has arrived. To be called once, at the end. */
  digest(): Digest;
}

/** Frees the memory of a piece that has a buffer of its own: garbage would pile up to as much again as the file has. */
export function release({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && byteLength === buffer.byteLength) buffer.transfer(0);
}
