import type { ByteRange } from '../folder/folder-files.js';
import type { StaticFile } from './static-file.js';
import type { StaticPath } from './static-path.js';

/** How long clients may keep what can change, in seconds. */
export interface StaticResponseOptions {
  readonly maxAge: number;
  /** Whether shared caches may keep it. */
  readonly shared: boolean;
}

/** Answers a GET or HEAD of a static file: conditions (RFC 9110, 13) and a single range (14). */
export async function staticResponse(
  request: Request,
  file: StaticFile & Pick<StaticPath, 'contentType' | 'immutable'>,
  options: StaticResponseOptions,
): Promise<Response> {
  const scope = options.shared ? 'public' : 'private';
  const headers: Record<string, string> = {
    etag: file.etag,
    'cache-control': file.immutable ? `${scope}, max-age=31536000, immutable` : `${scope}, max-age=${options.maxAge}`,
    'accept-ranges': 'bytes',
  };
  if (matches(request.headers.get('if-none-match'), file.etag)) return new Response(null, { status: 304, headers });
  headers['content-type'] = file.contentType;
  const range = rangeOf(request, file);
  if (range === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${file.size}` } });
  }
  const whole: ByteRange = { first: 0, last: file.size - 1 };
  const { first, last } = range ?? whole;
  headers['content-length'] = String(last - first + 1);
  if (range !== undefined) headers['content-range'] = `bytes ${first}-${last}/${file.size}`;
  const status = range === undefined ? 200 : 206;
  if (request.method === 'HEAD' || file.size === 0) return new Response(null, { status, headers });
  // Cast: the streams of node:stream/web are the global ones; their declarations differ.
  return new Response((await file.read({ first, last })) as ConstructorParameters<typeof Response>[0], {
    status,
    headers,
  });
}

function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//u, ''));
  return tags.includes('*') || tags.includes(etag);
}

function rangeOf(request: Request, { size, etag }: StaticFile): ByteRange | 'unsatisfiable' | undefined {
  const condition = request.headers.get('if-range');
  if (request.method !== 'GET' || (condition !== null && condition !== etag)) return undefined;
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/u.exec(request.headers.get('range') ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined;
  const first = from === '' ? Math.max(size - Number(to), 0) : Number(from);
  const last = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== '' && to !== '' && Number(to) < first) return undefined;
  return first >= size || (from === '' && Number(to) === 0) ? 'unsatisfiable' : { first, last };
}
