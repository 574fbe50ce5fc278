import { SkillsError } from '@skillpack/core';
import { expect, test } from 'vitest';
import { guardFetch } from './guard-fetch.js';
import { makeCleaner } from './make-cleaner.js';

const key = 'hunter2-secret-key';
const asked = { method: 'POST', body: '{"stream":true}' };

interface Body {
  readonly body: ReadableStream<Uint8Array>;
  cancelled: boolean;
}

function bodyOf(...chunks: readonly (string | Uint8Array)[]): Body {
  const rest = chunks.map((chunk) => (typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk));
  const told: { body?: ReadableStream<Uint8Array>; cancelled: boolean } = { cancelled: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = rest.shift();
      if (next === undefined) controller.close();
      else controller.enqueue(next);
    },
    cancel() {
      told.cancelled = true;
    },
  });
  return Object.assign(told, { body });
}

/** What a guarded `fetch` makes of an answer. */
async function guarded(body: Body, init: ResponseInit, maxBytes?: number): Promise<Response> {
  const fetch = guardFetch(
    // Cast: the streams of Node and of the platform have other names for the same bytes.
    async () => new Response(body.body as ReadableStream<Uint8Array<ArrayBuffer>>, init),
    { model: 'mine:one', maxBytes, clean: makeCleaner([key]) },
  );
  return fetch('https://models.example/v1/x', asked);
}

const stream = { headers: { 'content-type': 'text/event-stream' } };

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  return SkillsError.is(error) ? `${error.code}: ${error.message}` : 'no error';
}

test('PSA-29: where a redirect leads is told without keys, and its body is not read', async () => {
  for (const location of [`https://b.example/${key}/x`, `https://b.example/${encodeURIComponent(key)}?token=${key}`]) {
    const body = bodyOf('x', 'y');
    const told = await codeOf(guarded(body, { status: 307, headers: { location } }));
    expect(told).toMatch(/^REDIRECT_REFUSED: .*models\.example redirects to https:\/\/b\.example\//u);
    expect(told).not.toContain(key);
    expect(body.cancelled).toBe(true);
  }
});

test('PSA-29: a page for people is not read either', async () => {
  const body = bodyOf('x', 'y');
  expect(await codeOf(guarded(body, { headers: { 'content-type': 'text/html' } }))).toContain('a page for people');
  expect(body.cancelled).toBe(true);
});

test('PSA-29: of a refusal so many bytes are read, and no more, however they come', async () => {
  for (const chunks of [['x'.repeat(70_000)], ['x'.repeat(65_000), 'y'.repeat(600)], ['x'.repeat(65_536), 'y']]) {
    const response = await guarded(bodyOf(...chunks), { status: 400 });
    expect((await response.text()).length).toBe(Math.min(65_536, chunks.join('').length));
  }
});

test('PSA-29: lines may end with any line break; one that does not end in 4 MiB ends the answer', async () => {
  const mebibyte = 'x'.repeat(1024 * 1024);
  for (const end of ['\n', '\r', '\r\n']) {
    const lines = Array.from({ length: 6 }, () => `${mebibyte}${end}`);
    const response = await guarded(bodyOf(...lines), stream);
    expect((await response.text()).length).toBeGreaterThanOrEqual(6 * mebibyte.length);
  }
  const endless = await guarded(bodyOf(...Array.from({ length: 5 }, () => mebibyte)), stream);
  expect(await codeOf(endless.text())).toContain('a line of more than 4194304 bytes');
});

test('PSA-29: an answer ends where it has more bytes than it may have', async () => {
  expect(await (await guarded(bodyOf('12345', '67890'), stream, 10)).text()).toBe('1234567890');
  expect(await codeOf((await guarded(bodyOf('12345', '678901'), stream, 10)).text())).toContain('more than 10 bytes');
});
