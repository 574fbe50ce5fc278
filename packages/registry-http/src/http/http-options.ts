/** How long what may take. All in milliseconds, unless said otherwise. */
export interface HttpTimeouts {
  /** Until a connection stands, TLS included. @default 10,000 */
  readonly connect: number;
  /** From the request until the answer's headers. @default 30,000 */
  readonly headers: number;
  /** Between two pieces of an answer. @default 30,000 */
  readonly idle: number;
  /** For one operation with all its retries and redirects. @default 600,000 */
  readonly total: number;
  /** Over how long the rate of an answer is measured. @default 15,000 */
  readonly rateWindow: number;
  /** Bytes a second below which an answer is given up. @default 256 */
  readonly minimumRate: number;
}

/** Something a person may want to know while it goes on. URLs are without credentials. */
export type HttpEvent =
  | {
      readonly kind: 'retry';
      readonly url: string;
      readonly attempt: number;
      readonly delay: number;
      readonly reason: string;
    }
  | { readonly kind: 'resume'; readonly url: string; readonly offset: number }
  /** A cached answer is used because no new one is to be had; `age` in milliseconds. */
  | { readonly kind: 'stale'; readonly url: string; readonly age: number; readonly reason: string };

/** How a client of HTTP behaves. */
export interface HttpOptions {
  /** Where `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` (in either case) are looked up. @default {} no proxy */
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
  readonly timeouts?: Partial<HttpTimeouts> | undefined;
  /** How often a failed idempotent request is tried again without any progress. @default 3 */
  readonly retries?: number | undefined;
  /** Certificates (PEM) trusted besides those of Node. @default [] */
  readonly certificates?: readonly string[] | undefined;
  /** @default 'skillpack' */
  readonly userAgent?: string | undefined;
  readonly onEvent?: ((event: HttpEvent) => void) | undefined;
}

/** The limits that hold unless others are given. */
export const defaultTimeouts: HttpTimeouts = {
  connect: 10_000,
  headers: 30_000,
  idle: 30_000,
  total: 600_000,
  rateWindow: 15_000,
  minimumRate: 256,
};
