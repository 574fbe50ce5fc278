import * as z from 'zod/mini';

/** The schema of a path, as a model is told of it. */
export function makePath(description: string) {
  return z.string().check(z.maxLength(4096)).register(z.globalRegistry, { description });
}
