import { expect, test } from 'vitest';
import { SkillsError } from '@skillpack/core';
import { checkedChunks } from './checked-chunks.js';
import { sha256 } from './sha256.js';

async function* chunksOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function read(texts: readonly string[]): Promise<string> {
  const file = { path: 'pdf/a', size: 4, digest: sha256('abcd'), executable: false };
  const parts: Uint8Array[] = [];
  for await (const chunk of checkedChunks(file, chunksOf(...texts))) parts.push(chunk);
  return Buffer.concat(parts).toString();
}

test('PSA-34: chunks are held to the digest of the whole', async () => {
  expect(await read(['ab', '', 'cd'])).toBe('abcd');
  await expect(read(['ab', 'ce'])).rejects.toSatisfy((error) => SkillsError.is(error, 'INTEGRITY_MISMATCH'));
  await expect(read(['ab'])).rejects.toSatisfy((error) => SkillsError.is(error, 'INTEGRITY_MISMATCH'));
});
