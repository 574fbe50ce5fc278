import { SkillsError } from '@skillpack/core';

const longestChain = 12;

/** A link of a chain of errors: whatever was thrown, as far as it is an object. */
export type ErrorLink = Readonly<Record<string, unknown>>;

/**
 * An error and what led to it, from the outside in: its causes, the last of several attempts, the first of several
 * addresses. Each is only looked at, never called.
 */
export function errorChain(error: unknown): readonly ErrorLink[] {
  const chain: ErrorLink[] = [];
  let next: unknown = error;
  while (isLink(next) && chain.length < longestChain && !chain.includes(next)) {
    chain.push(next);
    next = causeOf(next);
  }
  return chain;
}

function causeOf(link: ErrorLink): unknown {
  if (SkillsError.is(link)) return undefined;
  if (isLink(link['cause'])) return link['cause'];
  if (isLink(link['lastError'])) return link['lastError'];
  return Array.isArray(link['errors']) ? (link['errors'] as readonly unknown[])[0] : undefined;
}

function isLink(value: unknown): value is ErrorLink {
  return typeof value === 'object' && value !== null;
}

/** A field that is a text, or a number written as one; else an empty text. */
export function textOf(link: ErrorLink, field: string): string {
  const value = link[field];
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}
