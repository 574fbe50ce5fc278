import {
  checkAborted,
  parsePackDocument,
  SkillsError,
  withoutCredentials,
  type ArchiveReader,
  type PackName,
  type PublishedPack,
  type PublishRequest,
} from '@skillpack/core';
import { statusFailure } from '../http/check-status.js';
import type { HttpClient, HttpResponse } from '../http/http-client.js';
import { readBody } from '../http/read-body.js';
import { retry, type Attempt } from '../http/retry.js';
import type { RegistryReader } from './registry-reader.js';

/** What publishing over HTTP works with. */
export interface PublishContext {
  readonly base: URL;
  readonly client: HttpClient;
  readonly reader: RegistryReader;
  readonly archives: ArchiveReader;
  readonly signal: AbortSignal | undefined;
}

const maxAnswerBytes = 1024 * 1024;

/**
 * Puts an archive into a registry, at the place that its registry.json names. The request may be repeated: a registry
 * answers the same content again with success.
 */
export async function publishOverHttp(request: PublishRequest, context: PublishContext): Promise<PublishedPack> {
  const { client, signal } = context;
  checkAborted(signal);
  const { manifest, format } = await context.archives.open(request.archive, { signal });
  if (manifest === undefined) {
    throw new SkillsError('INVALID_MANIFEST', 'The archive has no manifest.json, so nothing says which pack it is.', {
      hint: 'Build the archive with `skills pack`.',
    });
  }
  const { name, version } = manifest;
  const url = new URL(`${name}/${encodeURIComponent(version)}`, await publishPlace(context));
  if (request.tag !== undefined) url.searchParams.set('tag', request.tag);
  const authorization = await context.reader.authorization(url);
  const contentType = format === 'zip' ? 'application/zip' : 'application/gzip';
  return retry<PublishedPack>(
    {
      method: 'PUT',
      url,
      signal,
      async attempt(signals, what): Promise<Attempt<PublishedPack>> {
        const response = await client.send({
          method: 'PUT',
          url,
          headers: { 'content-type': contentType },
          authorization,
          body: request.archive,
          signal: signals.any,
        });
        if (response.status !== 200 && response.status !== 201) {
          return { kind: 'failed', failure: await statusFailure(response, what, client) };
        }
        return { kind: 'done', value: await readAnswer(response, { name, version, what, client }) };
      },
    },
    client,
  );
}

async function publishPlace({ base, reader, signal }: PublishContext): Promise<URL> {
  const shown = withoutCredentials(base.href);
  const publish = (await reader.info(signal, 'present'))?.publish ?? null;
  if (publish === null) {
    throw new SkillsError('REGISTRY_ERROR', `${shown} takes no packs: its registry.json names no place to publish.`, {
      hint: 'Publish into the folder that it serves (`skills publish --to <folder>`), or to another registry.',
      data: { registry: shown },
    });
  }
  const place = URL.canParse(publish, base.href) ? new URL(publish, base) : undefined;
  if (place === undefined || place.origin !== base.origin) {
    throw new SkillsError('ADDRESS_REFUSED', `${shown} wants packs to be published at another host: ${publish}.`, {
      hint: 'Name that host as the registry, if you trust it with your token.',
    });
  }
  if (!place.pathname.endsWith('/')) place.pathname += '/';
  return place;
}

interface Answer {
  readonly name: PackName;
  readonly version: string;
  readonly what: string;
  readonly client: HttpClient;
}

/** A registry answers with the pack's index, cut down to the version that was published. */
async function readAnswer(response: HttpResponse, { name, version, what, client }: Answer): Promise<PublishedPack> {
  const chunks: Uint8Array[] = [];
  const { timeouts } = client;
  await readBody(response, { what, maxBytes: maxAnswerBytes, timeouts, onChunk: (chunk) => chunks.push(chunk) });
  const document = parsePackDocument(Buffer.concat(chunks).toString(), name);
  const record = document.versions.find((other) => other.version === version);
  if (record === undefined) {
    throw new SkillsError('REGISTRY_ERROR', `${what}: the answer says nothing of version ${version}.`);
  }
  return { name, record, tags: document.head.tags, created: response.status === 201 };
}
