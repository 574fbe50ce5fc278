import { visibleText } from '../errors/visible-text.js';
import { diagnosticWeights } from './diagnostic-weights.js';
import type { SkillProfile } from './skill.js';
import type { SkillDiagnostic, SkillDiagnosticCode } from './skill-diagnostic.js';

/** Where a finding is: an offset into the text, or a line as a whole. */
export type Place = { readonly offset: number } | { readonly line: number };

/** A finding before it has a weight and a line. */
export interface Finding {
  readonly at: Place;
  readonly message: string;
  readonly fix: string;
}

const most = 100;
const longestMessage = 600;

/** Collects the findings about one file and weighs them by the profile. */
export class DiagnosticLog {
  readonly #profile: SkillProfile;
  readonly #found: SkillDiagnostic[] = [];
  #text = '';
  #lineStarts: readonly number[] | undefined;
  #failed = false;

  constructor(profile: SkillProfile) {
    this.#profile = profile;
  }

  /** The text that offsets are about, with `\n` line ends. */
  locateIn(text: string): void {
    this.#text = text;
    this.#lineStarts = undefined;
  }

  report(code: SkillDiagnosticCode, finding: Finding): void {
    const severity = diagnosticWeights[code][this.#profile];
    if (severity === 'off') return;
    if (severity === 'error') this.#failed = true;
    // A hostile file can hold any number of problems; an error must not be lost behind them.
    if (this.#found.length >= most && severity !== 'error') return;
    if (this.#found.length >= 2 * most) return;
    const { line, column } =
      'line' in finding.at ? { line: finding.at.line, column: undefined } : this.position(finding.at.offset);
    const message = shorten(finding.message);
    // What is read twice, as a whole and field by field, is reported once.
    const same = (one: SkillDiagnostic): boolean =>
      one.code === code && one.line === line && one.column === column && one.message === message;
    if (this.#found.some(same)) return;
    this.#found.push({ code, severity, message, line, column, fix: shorten(finding.fix) });
  }

  /** Whether something was found that makes the file unusable under the profile. */
  get failed(): boolean {
    return this.#failed;
  }

  /** Everything found, by line. */
  get diagnostics(): readonly SkillDiagnostic[] {
    return this.#found.length < 2
      ? this.#found
      : this.#found.toSorted((left, right) => left.line - right.line || (left.column ?? 0) - (right.column ?? 0));
  }

  /** The line and the column of an offset, both from 1. */
  position(offset: number): { readonly line: number; readonly column: number } {
    this.#lineStarts ??= lineStartsOf(this.#text);
    let low = 0;
    let high = this.#lineStarts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#lineStarts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (this.#lineStarts[low] ?? 0) + 1 };
  }
}

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function shorten(text: string): string {
  // Cut first: what was found may be megabytes long.
  const short = text.length > longestMessage ? `${text.slice(0, longestMessage)}…` : text;
  return visibleText(short);
}
