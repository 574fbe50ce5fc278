import {
  defaultArchiveLimits,
  formatRegistryInfo,
  splitPackName,
  type ArchiveReader,
  type PackPublisher,
  type PackRegistry,
  type RegistryInfo,
} from '@skillpack/core';
import { readInfo } from '../folder/derive-documents.js';
import type { FolderFiles } from '../folder/folder-files.js';
import { sha256 } from '../sha256.js';
import { crossOrigin } from './cross-origin.js';
import { errorResponse, refusal } from './error-response.js';
import { folderSource } from './folder-source.js';
import { parsePublishTarget, publishRoute } from './publish-route.js';
import { findToken, mayPublish, type PublishToken } from './publish-token.js';
import { registrySource } from './registry-source.js';
import { searchRoute } from './search-route.js';
import type { StaticFile } from './static-file.js';
import { parseStaticPath } from './static-path.js';
import { staticResponse } from './static-response.js';

/** What a registry server works with. */
export interface RegistryServerPorts {
  readonly archives: ArchiveReader;
}

/** How a registry is served. */
export interface RegistryServerOptions {
  /** Tokens that are accepted. @default [] nobody may publish */
  readonly tokens?: readonly PublishToken[] | undefined;
  /** Whether reading needs a token too. @default 'none' */
  readonly auth?: 'none' | 'bearer' | undefined;
  /** Largest archive that is taken, in bytes. @default 64 MiB */
  readonly maxArchiveBytes?: number | undefined;
  /** For how long clients may keep what can change, in seconds. @default 60 */
  readonly maxAge?: number | undefined;
  /** For a registry that has no registry.json of its own. @default 'registry' */
  readonly id?: string | undefined;
  /**
   * Which pages of other origins a browser lets read the registry (CORS): `true` for all, or origins such as
   * `https://app.example.com`. They may GET and HEAD; publishing is for none of them, and cookies are never asked for.
   *
   * @default false none, since a registry in a private network is else open to every page that a person in it visits
   */
  readonly cors?: boolean | readonly string[] | undefined;
  /** Told of every error that is answered with a status from 500: the answer says nothing of it. @default nobody is */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A registry to serve; one with `files` (see `createFolderRegistry`) is served as they lie there. */
export interface ServedRegistry extends PackRegistry, PackPublisher {
  readonly files?: FolderFiles | undefined;
}

/** Answers one request. Never rejects. */
export type RequestHandler = (request: Request) => Promise<Response>;

/**
 * Serves a registry over HTTP: its static files, searches at `search?q=`, and, for those who bear a token, publishing at
 * `publish/<org>/<name>/<version>`.
 *
 * @throws `USAGE` for an entry of `cors` that is no origin.
 */
export function createRegistryServer(
  registry: ServedRegistry,
  ports: RegistryServerPorts,
  options: RegistryServerOptions = {},
): RequestHandler {
  const tokens = options.tokens ?? [];
  const auth = options.auth ?? 'none';
  const others = crossOrigin(options.cors ?? false, { bearer: auth === 'bearer' });
  const info = infoOf(options);
  const { files } = registry;
  const source = files === undefined ? registrySource(registry, info) : folderSource(files);
  const context = {
    registry,
    archives: ports.archives,
    maxBytes: options.maxArchiveBytes ?? defaultArchiveLimits.archiveBytes,
  };

  const open = async (path: string): Promise<StaticFile | undefined> => {
    if (path !== 'registry.json' || files === undefined) return source(path);
    // The folder's own says what a plain web server can do; this one can do more.
    const { query, publish } = info;
    return textFile(formatRegistryInfo({ ...info, ...(await readInfo(files)), query, auth, publish }));
  };

  const read = async (request: Request, pathname: string): Promise<Response> => {
    if (auth === 'bearer' && findToken(request, tokens) === undefined) return wantsToken();
    if (pathname === '/search') return searchRoute(request, registry);
    const path = parseStaticPath(pathname);
    const file = path === undefined ? undefined : await open(path.path);
    if (path === undefined || file === undefined)
      return refusal(404, 'FILE_NOT_FOUND', 'The registry has no such document.');
    return staticResponse(request, { ...file, ...path }, { maxAge: options.maxAge ?? 60, shared: auth === 'none' });
  };

  const publish = async (request: Request, pathname: string): Promise<Response> => {
    const target = parsePublishTarget(pathname.slice('/publish/'.length));
    const token = findToken(request, tokens);
    if (token === undefined) return wantsToken();
    if (target === undefined) return refusal(404, 'FILE_NOT_FOUND', 'A pack is put at publish/<org>/<name>/<version>.');
    const { org } = splitPackName(target.name);
    if (!mayPublish(token, org)) return refusal(403, 'UNAUTHORIZED', `This token may not publish packs of ${org}.`);
    return publishRoute(request, target, context);
  };

  const answer = async (request: Request, pathname: string, publishing: boolean): Promise<Response> => {
    try {
      const allowed = publishing ? ['PUT'] : ['GET', 'HEAD'];
      if (!allowed.includes(request.method)) return wrongMethod(allowed);
      return await (publishing ? publish : read)(request, pathname);
    } catch (error) {
      const response = errorResponse(error);
      // Whoever asked may be gone: what breaks off then is no trouble of ours.
      if (response.status >= 500 && !request.signal.aborted) options.onError?.(error);
      return response;
    }
  };

  return async (request) => {
    const { pathname } = new URL(request.url);
    const publishing = pathname.startsWith('/publish/');
    if (publishing) return secured(await answer(request, pathname, publishing));
    const response = others.preflight(request) ?? others.permit(request, await answer(request, pathname, publishing));
    return secured(response);
  };
}

function infoOf({ id = 'registry', auth = 'none', tokens = [] }: RegistryServerOptions): RegistryInfo {
  return {
    id,
    name: id,
    packs: 'packs/',
    blobs: 'blobs/',
    search: null,
    query: 'search',
    revocations: 'revocations/latest.json',
    keys: [],
    auth,
    publish: tokens.length === 0 ? null : 'publish/',
  };
}

function textFile(text: string): StaticFile {
  const bytes = new TextEncoder().encode(text);
  return {
    size: bytes.length,
    etag: `"${sha256(bytes).slice(7, 39)}"`,
    read: async ({ first, last }) => bytes.subarray(first, last + 1),
  };
}

function wantsToken(): Response {
  return refusal(401, 'UNAUTHORIZED', 'A valid token is needed: Authorization: Bearer …');
}

function wrongMethod(allowed: readonly string[]): Response {
  const response = refusal(405, 'USAGE', `Allowed here: ${allowed.join(', ')}.`);
  response.headers.set('allow', allowed.join(', '));
  return response;
}

/** What others wrote must not run in a browser that looks at it. */
function secured(response: Response): Response {
  response.headers.set('x-content-type-options', 'nosniff');
  response.headers.set('content-security-policy', "default-src 'none'; sandbox");
  return response;
}
