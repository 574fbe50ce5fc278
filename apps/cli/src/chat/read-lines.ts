import { SkillsError } from '@skillpack/core';

/** How lines are read. */
export interface ReadLinesOptions {
  readonly signal: AbortSignal;
  /** Characters of a line. @default 1048576 */
  readonly longest?: number | undefined;
}

/**
 * The lines of a stream of UTF-8, without their ends; the last one also where it has no end. An abort ends them.
 *
 * @throws `FILE_TOO_LARGE` for a line that is longer than `longest`; `IO_ERROR` where the stream cannot be read.
 */
export async function* readLines(
  input: AsyncIterable<unknown>,
  { signal, longest = 1024 * 1024 }: ReadLinesOptions,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let begun = '';
  for await (const chunk of chunksOf(input, signal)) {
    const lines = (begun + decoder.decode(chunk, { stream: true })).split('\n');
    begun = lines.pop() ?? '';
    for (const line of [...lines, ...(begun.length > longest ? [begun] : [])]) {
      if (line.length > longest) throw tooLong(longest);
      yield line.replace(/\r$/u, '');
    }
  }
  const last = begun + decoder.decode();
  if (last !== '' && !signal.aborted) yield last.replace(/\r$/u, '');
}

async function* chunksOf(input: AsyncIterable<unknown>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunks = input[Symbol.asyncIterator]();
  const aborted = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    for (;;) {
      const next = await Promise.race([aborted, chunks.next()]);
      if (next === undefined || next.done === true) return;
      yield typeof next.value === 'string' ? Buffer.from(next.value) : (next.value as Uint8Array); // what streams give
    }
  } catch (cause) {
    throw new SkillsError('IO_ERROR', `Standard input cannot be read (${(cause as Error).message}).`, { cause });
  } finally {
    // Not awaited: a stream that waits for its next chunk ends only with it.
    void Promise.resolve(chunks.return?.()).catch(() => undefined);
  }
}

function tooLong(longest: number): SkillsError {
  return new SkillsError('FILE_TOO_LARGE', `A line of standard input has more than ${longest} characters.`, {
    hint: 'Put what it is about into a file, and name the file.',
  });
}
