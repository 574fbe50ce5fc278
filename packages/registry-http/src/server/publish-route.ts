import {
  formatPackDocument,
  isPackName,
  isVersion,
  SkillsError,
  type ArchiveReader,
  type PackDocument,
  type PackName,
  type PackPublisher,
  type PackRegistry,
} from '@skillpack/core';
import { refusal } from './error-response.js';

/** The version that a URL names. */
export interface PublishTarget {
  readonly name: PackName;
  readonly version: string;
}

/** What publishing works with. */
export interface PublishRouteContext {
  readonly registry: PackRegistry & PackPublisher;
  readonly archives: ArchiveReader;
  readonly maxBytes: number;
}

const formats: Readonly<Record<string, 'tgz' | 'zip'>> = {
  'application/gzip': 'tgz',
  'application/x-gzip': 'tgz',
  'application/zip': 'zip',
};

/** Reads what stands after `publish/`. */
export function parsePublishTarget(path: string): PublishTarget | undefined {
  const [, name, encoded] = /^([^/]+\/[^/]+)\/([^/]+)$/u.exec(path) ?? [];
  if (name === undefined || encoded === undefined || !isPackName(name)) return undefined;
  try {
    const version = decodeURIComponent(encoded);
    return isVersion(version) ? { name, version } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Publishes the archive that is a request's body. The manifest inside says what it is; the URL has to agree.
 *
 * @throws what reading an archive and publishing throw.
 */
export async function publishRoute(
  request: Request,
  target: PublishTarget,
  context: PublishRouteContext,
): Promise<Response> {
  const contentType = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  const format = formats[contentType];
  if (format === undefined) {
    return refusal(415, 'USAGE', `An archive is application/gzip or application/zip, not “${contentType}”.`);
  }
  const archive = await readArchive(request, context.maxBytes);
  const { manifest } = await context.archives.open(archive, { signal: request.signal });
  if (manifest === undefined || manifest.name !== target.name || manifest.version !== target.version) {
    const inside = manifest === undefined ? 'no manifest' : `${manifest.name}@${manifest.version}`;
    throw new SkillsError(
      'INVALID_MANIFEST',
      `The archive holds ${inside}, the URL says ${target.name}@${target.version}.`,
    );
  }
  const tag = new URL(request.url).searchParams.get('tag') ?? undefined;
  const { name, record, tags, created } = await context.registry.publish({ archive, format, tag });
  const { head } = await context.registry.getPack(name);
  const document: PackDocument = { head: { ...head, tags }, versions: [record] };
  return new Response(formatPackDocument(document), {
    status: created ? 201 : 200,
    headers: { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' },
  });
}

async function readArchive(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Cast: the body of a Request is a stream of bytes.
  for await (const chunk of (request.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): SkillsError {
  return new SkillsError('FILE_TOO_LARGE', `An archive has at most ${maxBytes} bytes here.`, {
    data: { expected: maxBytes },
  });
}
