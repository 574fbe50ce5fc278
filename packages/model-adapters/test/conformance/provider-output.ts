import type { ServerResponse } from 'node:http';

/** What a provider answers with: piece by piece, and as badly as a test wants. */
export interface ProviderOutput {
  head(status: number, headers: Readonly<Record<string, string>>): void;
  /** One chunk of the transfer; waits until there is room for more. */
  write(bytes: Uint8Array | string): Promise<void>;
  end(): void;
  /** Closes the connection in the middle. */
  reset(): void;
  readonly closed: Promise<{ readonly cutOff: boolean }>;
}

export function outputOf(response: ServerResponse): ProviderOutput {
  const closed = new Promise<{ readonly cutOff: boolean }>((resolve) => {
    response.once('close', () => resolve({ cutOff: !response.writableFinished }));
  });
  return {
    head: (status, headers) => {
      response.writeHead(status, headers);
      response.flushHeaders();
    },
    write: async (bytes) => {
      if (response.destroyed) return;
      const room = response.write(bytes);
      if (!room) await Promise.race([new Promise((resolve) => void response.once('drain', resolve)), closed]);
    },
    end: () => void response.end(),
    reset: () => void response.socket?.resetAndDestroy(),
    closed,
  };
}
