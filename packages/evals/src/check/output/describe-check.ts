import type { OutputCheck, OutputOf } from '../../case/expectations.js';
import { shortText } from '../short-text.js';

/** What a check asks for, in a sentence: `the answer contains "42"`; its own words where it has some. */
export function describeCheck(check: OutputCheck): string {
  if (check.text !== undefined) return check.text;
  const { negated } = check;
  const not = (yes: string, no: string): string => (negated ? no : yes);
  switch (check.kind) {
    case 'contains': {
      const { mode, texts } = check;
      const parts = texts.map(inQuotes).join(mode === 'all' ? ' and ' : ' or ');
      return `${nameOf(check.of)} ${not('contains', 'does not contain')} ${parts}${inAnyCase(check)}`;
    }
    case 'equals':
      return `${nameOf(check.of)} ${not('is', 'is not')} ${inQuotes(check.value)}${inAnyCase(check)}`;
    case 'starts_with':
      return `${nameOf(check.of)} ${not('begins', 'does not begin')} with ${inQuotes(check.value)}${inAnyCase(check)}`;
    case 'regex':
      return `${nameOf(check.of)} ${not('matches', 'does not match')} /${check.pattern}/${check.flags}`;
    case 'json': {
      const what = `JSON${check.schema === undefined ? '' : ' that follows its schema'}`;
      const verb = check.within ? not('has', 'has no') : not('is', 'is no');
      return `${nameOf(check.of)} ${verb} ${what}`;
    }
    case 'words':
      return `${nameOf(check.of)} ${not('has', 'does not have')} ${range(check.least, check.most)} words`;
    case 'similar':
      return `${nameOf(check.of)} ${not('has', 'does not have')} at least ${check.least} of the words of ${inQuotes(check.reference)}`;
    case 'file':
      return `${check.path} ${not('is there', 'is not there')}`;
    case 'script':
      return `${[check.script, ...check.args].join(' ')} ${not('ends with 0', 'does not end with 0')}`;
    case 'rubric':
      return negated ? `not so: ${check.statement}` : check.statement;
  }
}

function nameOf(of: OutputOf): string {
  if (of.kind === 'file') return of.path;
  return of.turn === undefined ? 'the answer' : `the answer to line ${of.turn}`;
}

function inAnyCase({ caseless }: { readonly caseless: boolean }): string {
  return caseless ? ' in any case' : '';
}

function range(least: number | undefined, most: number | undefined): string {
  if (most === undefined) return `at least ${least ?? 0}`;
  return least === undefined ? `at most ${most}` : `${least} to ${most}`;
}

function inQuotes(text: string): string {
  return JSON.stringify(shortText(text, 100));
}
