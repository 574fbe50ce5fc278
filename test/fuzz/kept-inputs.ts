import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An input that once broke a promise, or is kept because it nearly did. */
export interface KeptInput {
  readonly target: string;
  /** What was wrong, in words. */
  readonly why: string;
  readonly input: unknown;
}

/** Where inputs are kept that every test run tries again. */
export const keptFolder = join(import.meta.dirname, 'kept');

/** Every kept input, by file name. */
export function readKeptInputs(): ReadonlyMap<string, KeptInput> {
  const names = readdirSync(keptFolder).filter((name) => name.endsWith('.json'));
  // Only `keepInput` and people write here.
  const read = (name: string) => JSON.parse(readFileSync(join(keptFolder, name), 'utf8'), revived) as KeptInput;
  return new Map(names.toSorted().map((name) => [name, read(name)]));
}

/** Keeps an input in a folder. @returns the path of the file. */
export function keepInput(kept: KeptInput, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const text = `${JSON.stringify(kept, replaced, 2)}\n`;
  const digest = createHash('sha256').update(JSON.stringify(kept.input, replaced)).digest('hex');
  const path = join(folder, `${kept.target}-${digest.slice(0, 8)}.json`);
  writeFileSync(path, text);
  return path;
}

function replaced(this: unknown, key: string, value: unknown): unknown {
  // A Buffer has become an object by the time it is the value.
  const raw = key === '' ? value : (this as Record<string, unknown>)[key];
  return raw instanceof Uint8Array ? { base64: Buffer.from(raw).toString('base64') } : value;
}

function revived(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'base64') return value;
  return 'base64' in value && typeof value.base64 === 'string' ? Buffer.from(value.base64, 'base64') : value;
}
