import type { IncomingHttpHeaders } from 'node:http';

/** A request that a provider was sent. */
export interface ProviderCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The body as it came. */
  readonly text: string;
  readonly body: Body;
  /** Resolves when the connection is gone or the answer is complete: whether it was cut off. */
  readonly closed: Promise<{ readonly cutOff: boolean }>;
}

export type Body = Readonly<Record<string, unknown>>;

export const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether a value is a text of this form: what is missing is none. */
export const isTextLike = (value: unknown, form: RegExp): value is string =>
  typeof value === 'string' && form.test(value);
