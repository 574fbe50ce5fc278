import { credentialKey } from './read-credentials.js';
import type { RegistrySetting } from './settings.js';

/** What tokens there are. */
export interface Tokens {
  /** SKILLS_TOKEN. */
  readonly environment: string | undefined;
  /** Those of credentials.json, by URL. */
  readonly file: ReadonlyMap<string, string>;
}

/** The token that a registry is sent. */
export type TokenChoice =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'none' }
  /** SKILLS_TOKEN is there, but the project chose the registry, and so could anybody who wrote the project. */
  | { readonly kind: 'withheld' };

/**
 * Chooses the token for a registry: that of credentials.json for its URL, else SKILLS_TOKEN if it is the default
 * registry and the person chose it. A project that somebody else wrote can choose a registry; it must not thereby get
 * a token.
 */
export function tokenFor(
  registry: RegistrySetting,
  tokens: Tokens,
  options: { readonly isDefault: boolean },
): TokenChoice {
  const own = tokens.file.get(credentialKey(registry.location));
  if (own !== undefined) return { kind: 'token', token: own };
  if (tokens.environment === undefined || !options.isDefault) return { kind: 'none' };
  return registry.origin === 'project' ? { kind: 'withheld' } : { kind: 'token', token: tokens.environment };
}
