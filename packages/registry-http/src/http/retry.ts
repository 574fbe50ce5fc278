import { SkillsError, withoutCredentials } from '@skillpack/core';
import { describeRequest, failureOf, type HttpFailure } from './http-failure.js';
import { requestError, requestSignals, type HttpClient, type RequestSignals } from './http-client.js';

/** What came of one attempt. */
export type Attempt<Value> =
  | { readonly kind: 'done'; readonly value: Value }
  | { readonly kind: 'failed'; readonly failure: HttpFailure };

/** What is tried. */
export interface Operation<Value> {
  readonly method: 'GET' | 'PUT';
  readonly url: URL;
  readonly signal: AbortSignal | undefined;
  /** One attempt. What it throws is judged as a failure of the network. */
  attempt(signals: RequestSignals, what: string): Promise<Attempt<Value>>;
  /** A number that grows as an operation gets on; attempts that got on do not count. @default none */
  progress?(): number;
}

const firstDelay = 250;
const longestDelay = 8_000;
const mostAttempts = 50;

/**
 * Tries an idempotent operation until it is done, fails for good, or fails `retries` times without getting on. Waits
 * longer each time, by a random part so that many clients do not come back at once, or as long as the server asks.
 *
 * @throws `INTERRUPTED`, `TIMEOUT` when the deadline of the whole is over, or the last failure.
 */
export async function retry<Value>(operation: Operation<Value>, client: HttpClient): Promise<Value> {
  const signals = requestSignals(operation.signal, client.timeouts.total);
  try {
    return await tryUntilDone(operation, signals, client);
  } finally {
    signals.release();
  }
}

async function tryUntilDone<Value>(
  operation: Operation<Value>,
  signals: RequestSignals,
  client: HttpClient,
): Promise<Value> {
  const what = describeRequest(operation.method, operation.url);
  const retries = client.options.retries ?? 3;
  let failures = 0;
  for (let count = 1; ; count += 1) {
    const before = operation.progress?.() ?? 0;
    const outcome = await attemptOnce(operation, signals, what);
    if (outcome.kind === 'done') return outcome.value;
    const { error, transient, retryAfter } = outcome.failure;
    failures = (operation.progress?.() ?? 0) > before ? 1 : failures + 1;
    if (!transient || failures > retries || count === mostAttempts) throw error;
    const exponential = Math.min(firstDelay * 2 ** (failures - 1), longestDelay);
    const delay = Math.round(Math.max(retryAfter ?? 0, exponential * (0.5 + client.ports.random() / 2)));
    client.options.onEvent?.({
      kind: 'retry',
      url: withoutCredentials(operation.url.href),
      attempt: count + 1,
      delay,
      reason: error.message,
    });
    await client.ports.delay(delay, signals.any).catch((thrown: unknown) => {
      throw requestError(thrown, what, signals);
    });
  }
}

async function attemptOnce<Value>(
  operation: Operation<Value>,
  signals: RequestSignals,
  what: string,
): Promise<Attempt<Value>> {
  if (signals.any.aborted) throw requestError(signals.any.reason, what, signals);
  try {
    return await operation.attempt(signals, what);
  } catch (thrown) {
    if (signals.any.aborted) throw requestError(thrown, what, signals);
    const failure = failureOf(thrown, what);
    if (SkillsError.is(thrown) && !failure.transient) throw thrown;
    return { kind: 'failed', failure };
  }
}
