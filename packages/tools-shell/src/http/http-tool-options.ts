import type { Clock } from '@skillpack/core';

/** What `http_request` takes from its surroundings. */
export interface HttpToolPorts {
  readonly clock: Pick<Clock, 'now'>;
  /**
   * Takes secrets out of what a server answers, and finds them in what a model wants to send: `createRedactor`, the same
   * that the agent has. @default nothing is taken out
   */
  readonly redact?: ((text: string) => string) | undefined;
  /** The IP addresses of a host name. @default the resolver of the machine */
  readonly lookup?: ((hostname: string) => Promise<readonly string[]>) | undefined;
}

/** Where requests may go, and how much of an answer is read. */
export interface HttpToolOptions {
  /** Hosts that may be asked: `example.com`, or `*.example.com` for all below it. @default any host of the open internet */
  readonly domains?: readonly string[] | undefined;
  /**
   * Hosts that may be asked besides, also at private addresses and there by plain http: `localhost`, `127.0.0.1:8080`,
   * `[::1]`. Without a port it is every port. @default none
   */
  readonly allowPrivate?: readonly string[] | undefined;
  /**
   * Whether a redirect to another host is followed. A yes for one host would be one for every host that it leads to, so
   * otherwise the model is told where it leads. @default false
   */
  readonly otherHosts?: boolean | undefined;
  /** Where `HTTPS_PROXY` and `NO_PROXY` (in either case) are looked up: `process.env`. @default {} no proxy */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  /** Certificates (PEM) trusted besides those of Node. @default [] */
  readonly certificates?: readonly string[] | undefined;
  /** Milliseconds for one request with all its redirects. @default 30000 */
  readonly timeout?: number | undefined;
  /** Bytes a second below which an answer is given up, measured over {@link rateWindow}. @default 256 */
  readonly minimumRate?: number | undefined;
  /** Milliseconds. @default 10000 */
  readonly rateWindow?: number | undefined;
  /** Bytes of the body of a request. @default 1 MiB */
  readonly requestBytes?: number | undefined;
  /** Bytes of the body of an answer, unpacked. @default 8 MiB */
  readonly answerBytes?: number | undefined;
  /** Bytes of all headers of an answer. @default 32 KiB */
  readonly headerBytes?: number | undefined;
  /** UTF-16 code units of a body that the model is shown. @default 12000 */
  readonly answerLength?: number | undefined;
}
