import type { ReadableStream } from 'node:stream/web';
import type { ByteRange } from '../folder/folder-files.js';

/** A file that a server offers, before any of it is read. */
export interface StaticFile {
  /** In bytes. */
  readonly size: number;
  /** A strong ETag, with its quotation marks. */
  readonly etag: string;
  read(range: ByteRange): Promise<Uint8Array | ReadableStream<Uint8Array>>;
}

/** The static files of a registry, by path relative to its base. Paths are judged before they come here. */
export type StaticSource = (path: string) => Promise<StaticFile | undefined>;
