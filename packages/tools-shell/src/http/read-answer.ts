import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { SkillsError } from '@skillpack/core';
import type { HttpLimits } from './http-limits.js';
import type { HttpExchange } from './open-exchange.js';

/** The body of an answer. */
export interface AnswerBody {
  readonly bytes: Uint8Array;
  /** The content coding that it is still in, since nobody here takes it away; `undefined`: none. */
  readonly coding: string | undefined;
}

/** How a body is read. */
export type ReadAnswerLimits = Pick<HttpLimits, 'answerBytes' | 'minimumRate' | 'rateWindow'>;

/**
 * Reads the body of an answer and takes its content coding away. Bytes are counted on the way, as they come and as they
 * are unpacked, so that no more than the limit is ever there.
 *
 * @param what what messages call the request.
 * @throws `FILE_TOO_LARGE`, `TIMEOUT` for one that comes too slowly, or what the connection or the unpacking throws.
 */
export async function readAnswer(
  { headers, body }: Pick<HttpExchange, 'headers' | 'body'>,
  what: string,
  limits: ReadAnswerLimits,
): Promise<AnswerBody> {
  const { answerBytes } = limits;
  const announced = Number(headers['content-length'] ?? Number.NaN);
  if (announced > answerBytes) throw tooLarge(what, answerBytes, announced);
  const { decoder, coding } = decoderFor(headers['content-encoding']);
  const watch = watchRate(body, what, limits);
  const chunks: Uint8Array[] = [];
  const count = counter(what, answerBytes);
  const collect = async (source: AsyncIterable<Uint8Array>): Promise<void> => {
    for await (const chunk of source) {
      count(chunk);
      chunks.push(chunk);
    }
  };
  try {
    if (decoder === undefined) await pipeline(body, watch.pass, collect);
    else await pipeline(body, watch.pass, decoder, collect);
  } catch (error) {
    // Nothing at all, which is packed as nothing.
    if (!watch.empty()) throw error;
  } finally {
    watch.end();
  }
  return { bytes: new Uint8Array(Buffer.concat(chunks)), coding };
}

function decoderFor(header: string | undefined): {
  readonly decoder?: ReturnType<typeof createGunzip>;
  readonly coding: string | undefined;
} {
  const coding = header?.trim().toLowerCase();
  if (coding === undefined || coding === '' || coding === 'identity') return { coding: undefined };
  if (coding === 'gzip' || coding === 'x-gzip') return { decoder: createGunzip(), coding: undefined };
  if (coding === 'br') return { decoder: createBrotliDecompress(), coding: undefined };
  return { coding };
}

/** Throws once more has come than may. */
function counter(what: string, maxBytes: number): (chunk: Uint8Array) => void {
  let size = 0;
  return ({ length }) => {
    size += length;
    if (size > maxBytes) throw tooLarge(what, maxBytes, size);
  };
}

interface RateWatch {
  /** Hands on what comes over the wire, and counts it. */
  pass(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Whether it ended before anything came. */
  empty(): boolean;
  end(): void;
}

/** Ends a body that comes too slowly, or of which more comes than may, whatever it unpacks to. */
function watchRate(
  body: Readable,
  what: string,
  { answerBytes, minimumRate, rateWindow }: ReadAnswerLimits,
): RateWatch {
  const least = (minimumRate * rateWindow) / 1000;
  const count = counter(what, answerBytes);
  let inWindow = 0;
  let received = 0;
  let ended = false;
  const timer = setInterval(() => {
    if (inWindow < least) body.destroy(tooSlow(what, inWindow, rateWindow));
    inWindow = 0;
  }, rateWindow);
  return {
    async *pass(source) {
      for await (const chunk of source) {
        count(chunk);
        inWindow += chunk.length;
        received += chunk.length;
        yield chunk;
      }
      ended = true;
    },
    empty: () => ended && received === 0,
    end: () => clearInterval(timer),
  };
}

function tooSlow(what: string, bytes: number, milliseconds: number): SkillsError {
  return new SkillsError('TIMEOUT', `${what}: ${bytes} bytes came in ${milliseconds} ms; that is too slow.`, {
    hint: 'Try again later.',
    data: { bytes, milliseconds },
  });
}

function tooLarge(what: string, maxBytes: number, size: number): SkillsError {
  return new SkillsError(
    'FILE_TOO_LARGE',
    `${what}: the answer has ${size} bytes or more; at most ${maxBytes} are read.`,
    {
      hint: 'Ask for a part of it, by parameters of the server or a range header.',
      data: { size, maxBytes },
    },
  );
}
