import type { Certainty, PatternReading } from './pattern-reading.js';

/** Hosts that a rule means: `domain:example.com`, `domain:*.example.com`. */
export interface DomainPattern {
  /** In lower case, of ASCII. */
  readonly host: string;
  /** Whether all hosts below it are meant, and not itself. */
  readonly below: boolean;
}

const longestUrl = 8192;

/** Reads what stands behind `domain:`. */
export function parseDomainPattern(text: string): PatternReading<DomainPattern> {
  const below = text.startsWith('*.');
  const name = below ? text.slice(2) : text;
  const host = /[/\\?#@:*%\s]/u.test(name) ? undefined : hostOf(`http://${name}/`);
  if (host === undefined) {
    return { problem: 'A domain is a host alone, such as example.com, or *.example.com for all hosts below it.' };
  }
  return { pattern: { host, below } };
}

// Another reader of URLs may see another host behind `\`, and before an `@` in front of the path.
const plainUrl = /^https?:\/\/[^\s\\@/?#]+(?:\/[^\s\\]*|[?#][^\s\\@]*)?$/iu;

/** Whether a URL, as a model gave it, is of a host that is meant. */
export function matchesDomain({ host, below }: DomainPattern, url: string, certainty: Certainty): boolean {
  if (certainty === 'surely' && !plainUrl.test(url)) return false;
  const found = url.length > longestUrl ? undefined : hostOf(url);
  if (found === undefined) return certainty === 'possibly';
  return below ? found.endsWith(`.${host}`) : found === host;
}

function hostOf(url: string): string | undefined {
  const parsed = URL.parse(url);
  const host = parsed?.hostname.replace(/\.$/u, '') ?? '';
  return host === '' ? undefined : host;
}
