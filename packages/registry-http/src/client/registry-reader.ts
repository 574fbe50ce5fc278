import {
  checkAborted,
  defaultArchiveLimits,
  digestHex,
  parseRegistryInfo,
  SkillsError,
  withoutCredentials,
  type BlobReadOptions,
  type BlobRequest,
  type Digest,
  type RegistryInfo,
} from '@skillpack/core';
import { createDocumentCache } from '../cache/document-cache.js';
import { download } from '../http/download.js';
import { fetchDocument, type DocumentRequest } from '../http/fetch-document.js';
import type { HttpClient } from '../http/http-client.js';
import type { HttpOptions } from '../http/http-options.js';
import type { Receiver } from '../http/receiver.js';

/** How a registry is read over HTTP. */
export interface RegistryReaderOptions extends HttpOptions {
  /** Folder in which documents are kept between runs. @default none: every document is asked for each time */
  readonly cacheDir?: string | undefined;
  /** Answer from {@link cacheDir} alone, `OFFLINE` for what is not there. @default false */
  readonly offline?: boolean | undefined;
  /** The token for a registry, if there is one; it is sent to the registry's own origin alone. */
  readonly token?: ((registryUrl: string) => string | undefined | Promise<string | undefined>) | undefined;
  /** Largest blob that is downloaded, whatever an index says, in bytes. @default 64 MiB */
  readonly maxBlobBytes?: number | undefined;
}

/** Where a registry keeps what. */
export type RegistryLayout = Pick<RegistryInfo, 'packs' | 'blobs' | 'search' | 'query' | 'revocations'>;

/** A document of a registry. */
export interface RegistryDocument<Value> {
  /** Where it is, relative to the registry's base or absolute; `null` for nowhere. */
  readonly place: (layout: RegistryLayout) => string | null;
  readonly parse: (text: string) => Value;
  readonly signal: AbortSignal | undefined;
  /** Ask whether it is still the present one, however fresh what is in the cache. @default false */
  readonly revalidate?: boolean | undefined;
  /** For how long it is remembered that there is none, in milliseconds. @default 0 */
  readonly absentFor?: number | undefined;
}

/** Reads from a registry's places, wherever they are. */
export interface RegistryReader {
  /** A document, or `undefined` when the registry has none. */
  document<Value>(document: RegistryDocument<Value>): Promise<Value | undefined>;
  blob(request: BlobRequest, into: Receiver, options: BlobReadOptions): Promise<void>;
  /** The registry.json, or `undefined` when there is none. `present`: as it is now, whatever the cache has. */
  info(signal: AbortSignal | undefined, present?: 'present'): Promise<RegistryInfo | undefined>;
  /** The header for a URL, when it is of the registry's own origin and there is a token. */
  authorization(url: URL): Promise<string | undefined>;
}

const maxDocumentBytes = 32 * 1024 * 1024;

/** For how long the absence of a document is remembered that every install asks for. */
export const rememberedAbsence = 5 * 60 * 1000;

const defaultLayout: RegistryLayout = {
  packs: 'packs/',
  blobs: 'blobs/',
  search: 'search/latest.json',
  revocations: 'revocations/latest.json',
};

/** The places of the registry at `base`. The default ones are tried first; registry.json is read when they miss. */
export function createRegistryReader(base: URL, client: HttpClient, options: RegistryReaderOptions): RegistryReader {
  const cache = options.cacheDir === undefined ? undefined : createDocumentCache(options.cacheDir);
  const { offline } = options;
  let info: Promise<RegistryInfo | undefined> | undefined;
  let header: Promise<string | undefined> | undefined;

  const authorization = async (url: URL): Promise<string | undefined> => {
    if (url.origin !== base.origin) return undefined;
    header ??= Promise.resolve(options.token?.(base.href)).then((token) => bearer(token, base));
    return header;
  };
  const fetchAt = async <Value>(
    url: URL,
    document: Omit<RegistryDocument<Value>, 'place'> & Pick<DocumentRequest<Value>, 'cache'>,
  ) => {
    const credentials = await authorization(url);
    return fetchDocument(
      { cache, ...document, url, maxBytes: maxDocumentBytes, authorization: credentials, offline },
      client,
    );
  };
  const readInfo = (signal: AbortSignal | undefined, present?: 'present'): Promise<RegistryInfo | undefined> => {
    const url = new URL('registry.json', base);
    const parse = (text: string): RegistryInfo => parseRegistryInfo(text, withoutCredentials(url.href));
    if (present !== undefined) return fetchAt(url, { parse, signal, cache: undefined });
    info ??= fetchAt(url, { parse, signal, absentFor: rememberedAbsence }).catch((error: unknown) => {
      // The next call asks again.
      info = undefined;
      throw error;
    });
    return info;
  };
  /** Tries the default place; where nothing is there, the one that registry.json names, if it is another. */
  const find = async <Value>(
    { place, signal }: Pick<RegistryDocument<Value>, 'place' | 'signal'>,
    read: (url: URL) => Promise<Value | undefined>,
  ): Promise<Value | undefined> => {
    const usual = locate(place(defaultLayout), base);
    const found = usual === undefined ? undefined : await read(usual);
    if (found !== undefined) return found;
    const layout = await readInfo(signal);
    const stated = layout === undefined ? undefined : locate(place(layout), base);
    return stated === undefined || stated.href === usual?.href ? undefined : read(stated);
  };

  return {
    authorization,
    info: readInfo,
    document: ({ place, ...document }) => find({ place, signal: document.signal }, (url) => fetchAt(url, document)),
    async blob(request, into, { signal, onProgress }) {
      checkRequest(request, options);
      checkAborted(signal);
      const { digest, size: maxBytes } = request;
      const place = ({ blobs }: RegistryLayout): string => inFolder(blobs, `sha256/${digestHex(digest)}`);
      const found = await find({ place, signal }, async (url) =>
        download({ url, into, maxBytes, authorization: await authorization(url), signal, onProgress }, client),
      );
      checkBlob(found, digest, withoutCredentials(base.href));
    },
  };
}

function checkBlob(actual: Digest | undefined, digest: Digest, registry: string): void {
  if (actual === undefined) {
    throw new SkillsError('BLOB_NOT_FOUND', `${registry} has no blob ${digest}.`, {
      hint: 'Whoever runs the registry has to repair it.',
      data: { digest, registry },
    });
  }
  if (actual === digest) return;
  throw new SkillsError('INTEGRITY_MISMATCH', `What ${registry} gave for ${digest} has the digest ${actual}.`, {
    hint: 'Nothing of it is used. Tell whoever runs the registry.',
    data: { expected: digest, actual },
  });
}

/** A file in a folder that a registry.json names, with or without its final slash. */
export function inFolder(folder: string, file: string): string {
  return folder.endsWith('/') ? folder + file : `${folder}/${file}`;
}

function checkRequest({ digest, size }: BlobRequest, options: RegistryReaderOptions): void {
  const maxBlobBytes = options.maxBlobBytes ?? defaultArchiveLimits.archiveBytes;
  if (options.offline === true) {
    throw new SkillsError('OFFLINE', `${digest} would have to be downloaded, and the network must not be used.`, {
      hint: 'Do it once with the network: leave out --offline, or set SKILLS_OFFLINE=0.',
    });
  }
  if (size <= maxBlobBytes) return;
  throw new SkillsError(
    'FILE_TOO_LARGE',
    `${digest} is said to have ${size} bytes; at most ${maxBlobBytes} are taken.`,
    {
      data: { expected: maxBlobBytes, actual: size },
    },
  );
}

function locate(place: string | null, base: URL): URL | undefined {
  if (place === null) return undefined;
  if (URL.canParse(place, base.href)) return new URL(place, base);
  throw new SkillsError('INVALID_INDEX', `The registry.json of ${base.href} names “${place}”, which is no location.`);
}

function bearer(token: string | undefined, base: URL): string | undefined {
  if (token === undefined || token === '') return undefined;
  // RFC 6750, 2.1; whatever else there is would end the header, or the request.
  if (/^[\w\-.~+/]+=*$/u.test(token)) return `Bearer ${token}`;
  throw new SkillsError(
    'INVALID_CONFIG',
    `The token for ${withoutCredentials(base.href)} holds characters that no token has.`,
    {
      hint: 'A token is of letters, digits and - . _ ~ + / =, without spaces or line breaks.',
    },
  );
}
