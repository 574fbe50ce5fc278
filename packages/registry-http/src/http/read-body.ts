import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gunzipSync } from 'node:zlib';
import { SkillsError } from '@skillpack/core';
import type { HttpResponse } from './http-client.js';
import type { HttpTimeouts } from './http-options.js';

/** How a body is read. */
export interface ReadBodyOptions {
  /** What messages call the request. */
  readonly what: string;
  /** More are refused: before reading when the headers say so, else while they arrive. */
  readonly maxBytes: number;
  readonly timeouts: HttpTimeouts;
  /** Told of every piece, as it arrives. */
  readonly onChunk: (chunk: Uint8Array) => void;
}

/**
 * Reads a body under a cap and a least rate. Bytes are counted as they come over the wire.
 *
 * @throws `FILE_TOO_LARGE`, `TIMEOUT`, or what the connection throws when it breaks.
 */
export async function readBody(response: HttpResponse, options: ReadBodyOptions): Promise<void> {
  const { what, maxBytes, timeouts } = options;
  const announced = Number(response.headers['content-length'] ?? Number.NaN);
  if (announced > maxBytes) {
    response.body.on('error', () => undefined);
    response.body.destroy();
    throw tooLarge(what, maxBytes, announced);
  }
  let received = 0;
  let inWindow = 0;
  const least = (timeouts.minimumRate * timeouts.rateWindow) / 1000;
  const watch = setInterval(() => {
    if (inWindow < least) {
      response.body.destroy(
        new SkillsError('TIMEOUT', `${what}: ${inWindow} bytes came in ${timeouts.rateWindow} ms; that is too slow.`, {
          hint: 'Try again; the connection or the server is overloaded.',
          data: { bytes: inWindow, milliseconds: timeouts.rateWindow, expected: least },
        }),
      );
    }
    inWindow = 0;
  }, timeouts.rateWindow);
  try {
    await consume(response.body, (chunk) => {
      received += chunk.length;
      inWindow += chunk.length;
      if (received > maxBytes) throw tooLarge(what, maxBytes, received);
      options.onChunk(chunk);
    });
    // The pool learns a moment later that the connection is free; whoever asks sooner would open another.
    await setImmediate();
  } finally {
    clearInterval(watch);
  }
}

/**
 * Hands over every piece of a stream, each in a turn of its own, when whoever pushed it has done with it. By events: of
 * hundreds of small bodies, iterating would be a good part.
 */
function consume(body: Readable, take: (chunk: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    // Stays: what fails after the first failure is of no interest, but has to be heard.
    body.on('error', reject);
    body.once('end', resolve);
    body.once('close', () => reject(brokenOff()));
    if (body.errored !== null) reject(body.errored);
    else if (body.destroyed || body.readableEnded) reject(brokenOff());
    body.on('readable', () => {
      try {
        // Cast: a body is of buffers unless an encoding was set.
        for (let piece; !body.destroyed && (piece = body.read() as Uint8Array | null) !== null;) take(piece);
      } catch (error) {
        body.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
  });
}

function brokenOff(): Error {
  return Object.assign(new Error('the answer broke off'), { code: 'ECONNRESET' });
}

/** A short body is unpacked sooner than another thread is asked to: most documents are. In bytes. */
const unpackedAtOnce = 16 * 1024;

/**
 * Takes a content coding away from a whole body.
 *
 * @throws `FILE_TOO_LARGE` when it unpacks to more than the cap, `REGISTRY_ERROR` for a coding that was not asked for.
 */
export async function decodeBody(
  body: Uint8Array,
  response: HttpResponse,
  { what, maxBytes }: Pick<ReadBodyOptions, 'what' | 'maxBytes'>,
): Promise<Uint8Array> {
  const coding = codingOf(response);
  if (coding === undefined) return body;
  if (coding !== 'gzip' && coding !== 'x-gzip') throw unexpectedCoding(what, coding, 'gzip or none');
  try {
    const bounds = { maxOutputLength: maxBytes };
    return body.length <= unpackedAtOnce ? gunzipSync(body, bounds) : await promisify(gunzip)(body, bounds);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge(what, maxBytes, undefined);
    }
    throw new SkillsError('REGISTRY_ERROR', `${what}: the answer says gzip and is none.`, { cause });
  }
}

/** The content coding of an answer, or `undefined` for none. */
export function codingOf(response: HttpResponse): string | undefined {
  const coding = response.headers['content-encoding']?.trim().toLowerCase();
  return coding === undefined || coding === '' || coding === 'identity' ? undefined : coding;
}

/** An answer came in a coding that its receiver does not take. */
export function unexpectedCoding(what: string, coding: string, expected: string): SkillsError {
  return new SkillsError(
    'REGISTRY_ERROR',
    `${what}: the answer has the content-encoding “${coding}”, expected ${expected}.`,
    {
      hint: 'Whoever runs the server has to turn off compression for this path.',
      data: { expected, actual: coding },
    },
  );
}

function tooLarge(what: string, maxBytes: number, actual: number | undefined): SkillsError {
  const size = actual === undefined ? 'more bytes' : `${actual} bytes or more`;
  return new SkillsError('FILE_TOO_LARGE', `${what}: the answer has ${size}, expected at most ${maxBytes}.`, {
    data: { expected: maxBytes, actual: actual ?? null },
  });
}
