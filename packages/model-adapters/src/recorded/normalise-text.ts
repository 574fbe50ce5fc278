import { createRedactor, SkillsError } from '@skillpack/core';
import type { RecordedOptions, ReplacedText } from './recorded-options.js';
import { redactEscaped } from './redact-escaped.js';

/** Texts of requests and answers, as a cassette holds them, and back. */
export interface TextForm {
  /** Without secrets, and with what stands for the texts of this machine in their place. */
  record(text: string): string;
  /** As `record`, of what a model is asked: without the time that is left, and the sizes of outputs, too. */
  recordAsked(text: string): string;
  /** With the texts of this machine. `json`: within texts of JSON, as JSON writes them. */
  replay(text: string, form: 'plain' | 'json'): string;
}

/** How texts are written into a cassette, and read from it. @throws `USAGE` for replacements that cannot be undone. */
export function textForm({ replace = [], redact = createRedactor() }: RecordedOptions): TextForm {
  checkReplacements(replace);
  const replaced = replacing(replace);
  const hide = (text: string): string => redactEscaped(redact(text), redact);
  const kept = new Map<string, string>();
  const record = (text: string): string => {
    const known = kept.get(text);
    if (known !== undefined) return known;
    // Before, since a replacement could break a secret in two; after, since it could make one.
    const recorded = hide(replaced(hide(text.toWellFormed()))).toWellFormed();
    // The messages of a conversation come again with each request.
    if (kept.size >= maxKept) kept.clear();
    kept.set(text, recorded);
    return recorded;
  };
  return {
    record,
    recordAsked: (text) => record(withoutSizes(withoutTime(text))),
    replay: (text, form) => puttingBack(replace, form)(text),
  };
}

const maxKept = 2000;

/** What a run has left of its time, as the agent loop tells the model with each request, is never the same twice. */
function withoutTime(text: string): string {
  return text.replace(/^(left: (?:\d+ \w+, ){0,8})\d+ seconds(?=$|,)/gmu, '$1{time} seconds');
}

/** How long an output is depends on the paths in it; what it says is there to be compared. */
function withoutSizes(text: string): string {
  return text.replace(/^(Its std(?:out|err), )\d+( bytes:)$/gmu, '$1{size}$2');
}

/** All at once, the longest first, so that what was put in is not replaced again. */
function replacing(replace: readonly ReplacedText[]): (text: string) => string {
  const marks = new Map(replace.flatMap(({ from, to }) => [[from, to] as const, [inJson(from), to] as const]));
  if (marks.size === 0) return (text) => text;
  const forms = [...marks.keys()].toSorted((left, right) => right.length - left.length).map(escaped);
  // Whole names alone: `/home/ada` is not in `/home/adam`. An escape of JSON may stand before: `\n/home/ada`.
  const before = String.raw`(?:(?<=\\[bfnrt])|(?<=\\u[\da-f]{4})|(?<![\p{L}\p{N}_.-]))`;
  const pattern = new RegExp(`${before}(?:${forms.join('|')})(?![\\p{L}\\p{N}_-])`, 'gu');
  return (text) => text.replace(pattern, (found) => marks.get(found) ?? found);
}

/** All at once, too, so that nothing is put back into what was put back. No mark holds another one. */
function puttingBack(replace: readonly ReplacedText[], form: 'plain' | 'json'): (text: string) => string {
  const texts = new Map(replace.map(({ from, to }) => [to, form === 'json' ? inJson(from) : from]));
  if (texts.size === 0) return (text) => text;
  const pattern = new RegExp([...texts.keys()].map(escaped).join('|'), 'gu');
  return (text) => text.replace(pattern, (found) => texts.get(found) ?? found);
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function escaped(text: string): string {
  return text.replace(/[$()*+./?[\\\]^{|}]/gu, String.raw`\$&`);
}

function checkReplacements(replace: readonly ReplacedText[]): void {
  for (const [index, { from, to }] of replace.entries()) {
    const others = replace.filter((_, other) => other !== index);
    const clash = others.some((other) => other.to.includes(to) || [other.from, inJson(other.from)].includes(from));
    if (from !== '' && to !== '' && !clash && !replace.some((other) => to.includes(other.from))) continue;
    throw new SkillsError('USAGE', `The replacement of “${from}” by “${to}” in recorded texts cannot be undone.`, {
      hint: 'Give each text a mark of its own that holds none of the texts, such as {workspace}.',
    });
  }
}
