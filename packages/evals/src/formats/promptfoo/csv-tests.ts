import type { JsonObject, JsonValue } from '@skillpack/core';

/** Whether a table holds tests of promptfoo: columns with two underscores say something about the test. */
export function isTestTable(names: readonly string[]): boolean {
  return names.some((name) => name.startsWith('__'));
}

/** The rows of a table as tests: `__expected` and its like are assertions, all other columns variables. */
export function csvTests(rows: readonly Readonly<Record<string, string>>[]): readonly JsonObject[] {
  return rows.map((row) => {
    const filled = Object.entries(row).filter(([name, value]) => value !== '' || !name.startsWith('__'));
    const assertions = filled.flatMap(([name, value]) => (/^__expected\d*$/u.test(name) ? [assertionOf(value)] : []));
    const special = Object.fromEntries(filled.flatMap(([name, value]) => specialField(name, value)));
    const own = filled.filter(([name]) => !name.startsWith('__'));
    const metadata = Object.fromEntries(filled.flatMap(([name, value]) => metadataField(name, value)));
    const options = Object.fromEntries(
      filled.flatMap(([name, value]) => (optionNames.has(name) ? [[name.slice(2), value]] : [])),
    );
    return {
      ...special,
      vars: Object.fromEntries(own),
      ...(assertions.length === 0 ? {} : { assert: assertions }),
      ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
      ...(Object.keys(options).length === 0 ? {} : { options }),
    };
  });
}

const optionNames: ReadonlySet<string> = new Set(['__prefix', '__suffix']);

function metadataField(name: string, value: string): readonly (readonly [string, JsonValue])[] {
  const key = /^__metadata:(?<key>.+)$/u.exec(name)?.groups?.['key'];
  if (key === undefined) return [];
  return key.endsWith('[]') ? [[key.slice(0, -2), value.split(',').map((item) => item.trim())]] : [[key, value]];
}

/** What is neither a variable nor an assertion: under its own name, so that it is read or told of. */
function specialField(name: string, value: string): readonly (readonly [string, JsonValue])[] {
  if (!name.startsWith('__') || /^__(?:expected\d*$|metadata:)/u.test(name) || optionNames.has(name)) return [];
  return [[name === '__description' || name === '__threshold' ? name.slice(2) : name, value]];
}

const shortNames: Readonly<Partial<Record<string, string>>> = {
  fn: 'javascript',
  eval: 'javascript',
  grade: 'llm-rubric',
};

/** An assertion as a cell writes it: `contains: x`, `similar(0.8): x`, or just what the answer is. */
function assertionOf(cell: string): JsonObject {
  const text = cell.trim();
  if (text.startsWith('file://')) return { type: /\.py(?::|$)/u.test(text) ? 'python' : 'javascript', value: text };
  const found =
    /^(?<not>not-)?(?<type>[a-z][a-z0-9:-]*?)(?:\((?<threshold>[\d.]+)\))?(?::\s*(?<value>[\s\S]*))?$/u.exec(text);
  const { not = '', type = '', threshold, value } = found?.groups ?? {};
  const known = shortNames[type] ?? type;
  if (found === null || !(cellTypes.has(known) || /^(?:similar|trajectory):/u.test(known)))
    return { type: 'equals', value: cell };
  return {
    type: `${not}${known}`,
    ...(value === undefined ? {} : { value }),
    ...(threshold === undefined ? {} : { threshold: Number(threshold) }),
  };
}

const cellTypes: ReadonlySet<string> = new Set(
  `equals contains icontains contains-all contains-any icontains-all icontains-any starts-with regex is-json contains-json
  is-xml contains-xml is-html contains-html is-sql contains-sql is-refusal is-valid-function-call
  is-valid-openai-tools-call javascript python ruby webhook cost latency levenshtein rouge-n bleu gleu meteor word-count
  finish-reason perplexity perplexity-score tool-call-f1 skill-used guardrails llm-rubric agent-rubric g-eval factuality answer-relevance
  context-recall context-relevance context-faithfulness conversation-relevance model-graded-factuality
  model-graded-closedqa similar classifier moderation pi search-rubric select-best human max-score`.split(/\s+/u),
);
