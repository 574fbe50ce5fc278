import { createHash, timingSafeEqual } from 'node:crypto';

/** A token that a server accepts. */
export interface PublishToken {
  readonly token: string;
  /** Whose packs it may publish; none: it may only read. @default those of every organisation */
  readonly organisations?: readonly string[] | undefined;
}

/**
 * The token that a request bears (RFC 6750), or `undefined` for none that is accepted. Takes the same time whichever
 * token is compared, however much of it is right.
 */
export function findToken(request: Request, tokens: readonly PublishToken[]): PublishToken | undefined {
  const given = /^Bearer +([\w\-.~+/]+=*) *$/iu.exec(request.headers.get('authorization') ?? '')?.[1];
  if (given === undefined) return undefined;
  const wanted = fingerprint(given);
  let found: PublishToken | undefined;
  for (const candidate of tokens) {
    if (timingSafeEqual(fingerprint(candidate.token), wanted)) found = candidate;
  }
  return found;
}

/** Whether a token may publish an organisation's packs. */
export function mayPublish({ organisations }: PublishToken, organisation: string): boolean {
  return organisations === undefined || organisations.includes(organisation);
}

function fingerprint(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
