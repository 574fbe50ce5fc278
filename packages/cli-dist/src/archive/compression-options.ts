import type { DeflateOptions } from 'fflate';

/** Fixed, so that the bytes of an archive depend on its files alone; fflate would derive the memory from the size. */
export const compressionOptions = { level: 9, mem: 8 } as const satisfies DeflateOptions;
