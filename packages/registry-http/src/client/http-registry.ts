import {
  parseRevocations,
  parseSearchCatalogue,
  parseSearchPointer,
  searchCatalogue,
  SkillsError,
  withoutCredentials,
  type ArchiveReader,
  type PackPublisher,
  type PackRegistry,
  type RegistryInfo,
  type Revocation,
  type SearchPointer,
} from '@skillpack/core';
import { createHttpClient } from '../http/http-client.js';
import type { HttpPorts } from '../http/http-ports.js';
import { PassedOnBytes } from '../http/passed-on-bytes.js';
import { ReceivedBytes } from '../http/received-bytes.js';
import { parseNamedUrl } from '../http/url-policy.js';
import { publishOverHttp } from './publish-over-http.js';
import { parseWholeIndex } from './parse-whole-index.js';
import {
  createRegistryReader,
  inFolder,
  rememberedAbsence,
  type RegistryLayout,
  type RegistryReader,
  type RegistryReaderOptions,
} from './registry-reader.js';

/** What an HTTP registry works with. */
export interface HttpRegistryPorts extends HttpPorts {
  /** Reads the name and the version out of an archive that is to be published. */
  readonly archives: ArchiveReader;
}

/** How an HTTP registry works. */
export type HttpRegistryOptions = RegistryReaderOptions;

/** A registry at a URL. */
export interface HttpRegistry extends PackRegistry, PackPublisher {
  /** Closes the connections that are kept alive. */
  close(): Promise<void>;
}

/** What a search endpoint gives at once. */
const mostHits = 100;

/**
 * The registry whose static files, or whose server, are at a URL.
 *
 * Reading asks for the default places first, so an install from a cold start is two requests, the index and the
 * archive; registry.json is asked for when something is not there, or when a pack is published.
 *
 * @throws `ADDRESS_REFUSED` when the URL is none of http or https, or holds a password.
 */
export function createHttpRegistry(
  url: string,
  ports: HttpRegistryPorts,
  options: HttpRegistryOptions = {},
): HttpRegistry {
  const base = parseNamedUrl(url);
  base.search = '';
  if (!base.pathname.endsWith('/')) base.pathname += '/';
  const location = withoutCredentials(base.href);
  const client = createHttpClient({ namedHost: base.hostname }, ports, options);
  const reader = createRegistryReader(base, client, options);

  return {
    location,
    close: () => client.close(),
    ...blobsOf(reader),
    async getPack(name, { signal } = {}) {
      const found = await reader.document({
        place: ({ packs }) => inFolder(packs, `${name}.ndjson`),
        parse: (text) => parseWholeIndex(text, name),
        signal,
      });
      if (found !== undefined) return found;
      const spelling = `Look at the spelling, or try \`skills search ${name.slice(name.indexOf('/') + 1)}\`.`;
      const isRegistry = (await reader.info(signal)) !== undefined;
      throw new SkillsError('PACK_NOT_FOUND', `${location} has no pack ${name}.`, {
        hint: isRegistry ? spelling : `${spelling} Or there is no registry at this address: it has no registry.json.`,
        data: { name, registry: location },
      });
    },
    async search(words, { limit, signal } = {}) {
      const parse = (text: string): SearchPointer => parseSearchPointer(text, `The search pointer of ${location}`);
      // Whoever has just published looks for it, and the catalogue itself is kept as long as the pointer names it.
      const pointer = await reader.document({ place: ({ search }) => search, parse, signal, revalidate: true });
      if (pointer === undefined) {
        const hits = await reader.document({
          place: ({ query }) => (query === undefined ? null : queryOf(query, words, limit)),
          parse: (text) => parseSearchCatalogue(text, `The hits of ${location}`),
          signal,
        });
        if (hits === undefined) return withoutSearch(location, await reader.info(signal));
        return searchCatalogue(hits, words, limit);
      }
      const catalogue = await reader.document({
        place: () => pointer.catalogue,
        parse: (text) => parseSearchCatalogue(text, `The search catalogue of ${location}`),
        signal,
      });
      if (catalogue !== undefined) return searchCatalogue(catalogue, words, limit);
      throw new SkillsError('REGISTRY_ERROR', `${location} names the catalogue ${pointer.catalogue} and has none.`, {
        hint: 'Whoever runs the registry has to repair it (`skills registry build`).',
      });
    },
    async getRevocations({ signal } = {}) {
      const parse = (text: string): readonly Revocation[] => parseRevocations(text, `The revocations of ${location}`);
      const place = ({ revocations }: RegistryLayout): string | null => revocations;
      return (await reader.document({ place, parse, signal, absentFor: rememberedAbsence })) ?? [];
    },
    publish: (request, { signal } = {}) =>
      publishOverHttp(request, { base, client, reader, archives: ports.archives, signal }),
  };
}

function blobsOf(reader: RegistryReader): Pick<PackRegistry, 'getBlob' | 'copyBlob'> {
  return {
    async getBlob(request, options = {}) {
      const received = new ReceivedBytes();
      await reader.blob(request, received, options);
      return received.bytes;
    },
    copyBlob: (request, sink, options = {}) => reader.blob(request, new PassedOnBytes(sink), options),
  };
}

function queryOf(place: string, words: string, limit: number = 20): string {
  const query = new URLSearchParams({ q: words, limit: String(Math.min(Math.max(limit, 1), mostHits)) });
  return `${place}?${query.toString()}`;
}

function withoutSearch(location: string, info: RegistryInfo | undefined): [] {
  // A registry without a registry.json is a folder into which nothing was published yet.
  if (info === undefined) return [];
  throw new SkillsError('REGISTRY_ERROR', `${location} offers no search.`, {
    hint: 'A registry of more than 5,000 packs has no catalogue that clients search; ask for the pack by its name.',
  });
}
