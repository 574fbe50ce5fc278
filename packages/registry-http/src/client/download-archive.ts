import { SkillsError, withoutCredentials } from '@skillpack/core';
import { download } from '../http/download.js';
import { ReceivedBytes } from '../http/received-bytes.js';
import { createHttpClient } from '../http/http-client.js';
import type { HttpOptions } from '../http/http-options.js';
import type { HttpPorts } from '../http/http-ports.js';
import { parseNamedUrl } from '../http/url-policy.js';

/** How an archive is downloaded by its URL. */
export interface DownloadArchiveOptions extends HttpOptions {
  /** More bytes are refused. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Told of every piece that arrives, in bytes. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

/**
 * Downloads an archive that is no registry's, under the same guards as a registry's: https, or a host of this machine
 * or its private network; redirects only to https on the open internet. No token is sent.
 *
 * @throws `FILE_NOT_FOUND`, `FILE_TOO_LARGE`, `ADDRESS_REFUSED`, `REDIRECT_REFUSED`, `UNAUTHORIZED`, `REGISTRY_ERROR`,
 * `NETWORK_ERROR`, `TIMEOUT`, `INTERRUPTED`.
 */
export async function downloadArchive(
  url: string,
  ports: HttpPorts,
  options: DownloadArchiveOptions,
): Promise<Uint8Array> {
  const parsed = parseNamedUrl(url);
  const client = createHttpClient({ namedHost: parsed.hostname }, ports, options);
  try {
    const { maxBytes, signal, onProgress } = options;
    const received = new ReceivedBytes();
    const found = await download({ url: parsed, into: received, maxBytes, signal, onProgress }, client);
    if (found !== undefined) return received.bytes;
    throw new SkillsError('FILE_NOT_FOUND', `There is nothing at ${withoutCredentials(url)}.`, {
      data: { url: withoutCredentials(url) },
    });
  } finally {
    await client.close();
  }
}
