import type { EvalShard } from './eval-job.js';

/** @throws `INVALID_RESULTS`, or `UNSUPPORTED_FORMAT` for a shard of another version. */
export function parseShard(text: string): EvalShard {
  void text;
  throw new Error('not yet');
}

/** The shard as JSON with a final newline. The same shard gives the same text. */
export function formatShard(shard: EvalShard): string {
  void shard;
  throw new Error('not yet');
}
