import { agentActionKinds, parseDecision, readDocument, SkillsError } from '@skillpack/core';
import type {
  ModelScript,
  RuleCondition,
  ScriptFunction,
  ScriptReply,
  ScriptRule,
  TextPattern,
} from './model-script.js';
import { readScriptYaml } from './read-script-yaml.js';
import { scriptSchema, type WrittenPattern, type WrittenReply, type WrittenRule } from './script-schema.js';

/** How a script is read. */
export interface ParseScriptOptions {
  /** Names it in messages; `.json` is read as JSON, everything else as YAML, of which JSON is a part. */
  readonly fileName: string;
}

const maxLength = 512 * 1024;
// Hostile YAML of this length takes seconds, of a longer one minutes.
const maxYamlLength = 128 * 1024;
const hint = 'docs/models.md describes scripts.';

/**
 * Reads a script for {@link scripted}: replies in order, or rules.
 *
 * @throws `INVALID_CONFIG`, with the place in the file and what was expected there; `UNSUPPORTED_FORMAT`.
 */
export function parseScript(text: string, { fileName }: ParseScriptOptions): Exclude<ModelScript, ScriptFunction> {
  // JavaScript gives anything, as `JSON.stringify` of a script that is not there.
  if (typeof (text as unknown) !== 'string') {
    throw new SkillsError('INVALID_CONFIG', `The script ${fileName} is not there, or is no text.`, { hint });
  }
  const json = fileName.toLowerCase().endsWith('.json') ? text : jsonOf(text, fileName);
  const what = `The script ${fileName}`;
  const { replies, rules } = readDocument(json, scriptSchema, { what, code: 'INVALID_CONFIG', maxLength, hint });
  if (replies !== undefined && rules === undefined) {
    return replies.map((reply, index) => replyOf(reply, { fileName, at: `replies.${index}` }));
  }
  if (rules !== undefined && replies === undefined) {
    return { rules: rules.map((rule, index) => ruleOf(rule, { fileName, at: `rules.${index}` })) };
  }
  throw invalid({ fileName, at: '' }, 'expected either replies or rules');
}

interface Place {
  readonly fileName: string;
  /** The path of the value in the document. */
  readonly at: string;
}

function jsonOf(yaml: string, fileName: string): string {
  if (yaml.length > maxYamlLength) {
    const problem = `it has ${yaml.length} characters; of YAML at most ${maxYamlLength} are read, of JSON ${maxLength}`;
    throw invalid({ fileName, at: '' }, problem);
  }
  try {
    return JSON.stringify(readScriptYaml(yaml.replace(/^\uFEFF/u, ''))) ?? 'null';
  } catch (cause) {
    // The library may run out of stack on hostile text: whatever it throws is about this text.
    const problem = cause instanceof RangeError ? 'it has too many levels' : (cause as Error).message;
    throw invalid({ fileName, at: '' }, problem, cause);
  }
}

function ruleOf({ name, when, times, ...reply }: WrittenRule, place: Place): ScriptRule {
  const { request, observation, saw, system, ...rest } = when ?? {};
  const patterns = Object.entries({ request, observation, saw, system }).flatMap(([key, pattern]) =>
    pattern === undefined ? [] : [[key, patternOf(pattern, { ...place, at: `${place.at}.when.${key}` })] as const],
  );
  const condition: RuleCondition = { ...rest, ...Object.fromEntries(patterns) };
  return { name, times, when: condition, reply: replyOf(reply, place) };
}

function patternOf(pattern: WrittenPattern, place: Place): TextPattern {
  if (typeof pattern === 'string') return pattern;
  const flags = new Set([...(pattern.flags ?? ''), 'u']);
  try {
    return new RegExp(pattern.regex, [...flags].join(''));
  } catch (cause) {
    throw invalid({ ...place, at: `${place.at}.regex` }, (cause as SyntaxError).message, cause);
  }
}

function replyOf({ decide, say, finish, fail, message, ...extras }: WrittenReply, place: Place): ScriptReply {
  const given = [decide, say, fail].filter((value) => value !== undefined);
  if (given.length !== 1) throw invalid(place, 'expected exactly one of decide, say and fail');
  if (finish !== undefined && say === undefined) throw invalid(place, 'expected finish only beside say');
  if (message !== undefined && fail === undefined) throw invalid(place, 'expected message only beside fail');
  const [extra] = Object.keys(extras);
  if (extra !== undefined && fail !== undefined) throw invalid(place, `expected ${extra} only beside decide and say`);
  if (say !== undefined) return { say, finish, ...extras };
  if (fail !== undefined) return { fail, message };
  const reading = parseDecision(JSON.stringify(decide), agentActionKinds);
  if (reading.kind === 'rejected') throw invalid({ ...place, at: `${place.at}.decide` }, reading.message);
  return extra === undefined ? reading.decision : { decide: reading.decision, ...extras };
}

function invalid({ fileName, at }: Place, problem: string, cause?: unknown): SkillsError {
  const where = at === '' ? '' : ` at ${at}`;
  const sentence = /[.}]$/u.test(problem) ? problem : `${problem}.`;
  return new SkillsError('INVALID_CONFIG', `The script ${fileName} is not valid${where}: ${sentence}`, { hint, cause });
}
