import { isSkillName, type JsonObject, type JsonValue } from '@skillpack/core';
import { isObject } from './foreign-value.js';
import type { CaseFormat } from './imported-suite.js';
import { polarityOf, wrapperNames } from './import-trigger-sets.js';
import { labelNames, skillNames, textNames } from './trigger-words.js';

/** Which format a document is of, by its shape; `undefined` for none. */
export function formatOf(value: JsonValue): CaseFormat | undefined {
  if (Array.isArray(value)) return ofList(value);
  return isObject(value) ? ofObject(value) : undefined;
}

function ofObject(value: JsonObject): CaseFormat | undefined {
  if (has(value, 'formatVersion') && Array.isArray(value['cases'])) return 'skillpack';
  if (isList(value, 'eval_cases') || isList(value, 'evalCases')) return 'adk';
  if (isList(value, 'should_trigger_prompts') || isList(value, 'should_not_trigger_prompts')) return 'waza';
  if (value['kind'] === 'trigger') return 'kind-trigger';
  if (isPromptfoo(value)) return 'promptfoo';
  if (isList(value, 'evals')) {
    const evals = ofEvals(entriesOf(value['evals']));
    if (evals !== undefined) return evals;
  }
  if (isList(value, 'items') && has(value, 'schema_version')) return 'apm';
  const wrapper = wrapperNames.find((name) => isList(value, name));
  if (wrapper !== undefined) return ofWrapper(entriesOf(value[wrapper]));
  return hasLists(value) ? 'trigger-lists' : undefined;
}

function ofWrapper(entries: readonly JsonObject[]): CaseFormat | undefined {
  const format = ofEntries(entries);
  return format === 'trigger-list' || format === 'trigger-keys' ? 'trigger-wrapper' : format;
}

function ofList(value: readonly JsonValue[]): CaseFormat | undefined {
  const entries = value.filter(isObject);
  const [first] = entries;
  if (first === undefined) return undefined;
  // Lists of tests may name files with more of them.
  if (entries.length < value.length) return value.every(isTest) ? 'promptfoo' : undefined;
  if (isList(first, 'data') || has(first, 'expected_tool_use') || has(first, 'expectedToolUse')) return 'adk';
  if (isList(first, 'conversation') && (has(first, 'eval_id') || has(first, 'evalId'))) return 'adk';
  if (first['kind'] === 'trigger') return 'kind-trigger';
  if (entries.some(isTest)) return 'promptfoo';
  return ofEntries(entries) ?? ofEvals(entries);
}

/** Queries, each with what it wants. */
function ofEntries(entries: readonly JsonObject[]): CaseFormat | undefined {
  if (
    entries.some((entry) => ['user_prompt', 'case_id'].some((name) => has(entry, name)) && has(entry, 'expected_skill'))
  )
    return 'dotnet';
  const queries = entries.filter((entry) => textNames.some((name) => typeof entry[name] === 'string'));
  if (queries.length === 0) return undefined;
  if (queries.some((entry) => skillNames.some((name) => has(entry, name)))) return 'multi-skill';
  if (queries.every((entry) => has(entry, 'query') && has(entry, 'should_trigger'))) return 'trigger-list';
  return queries.some((entry) => labelNames.some((name) => has(entry, name))) ? 'trigger-keys' : undefined;
}

/** Tasks, of which some may say whether the skill is to be used. */
function ofEvals(entries: readonly JsonObject[]): CaseFormat | undefined {
  const tasks = entries.filter((entry) => typeof entry['prompt'] === 'string');
  if (tasks.length === 0) return undefined;
  if (tasks.some((entry) => labelNames.some((name) => typeof entry[name] === 'boolean'))) {
    return tasks.every((entry) => labelNames.some((name) => has(entry, name))) && !tasks.some(isJudged)
      ? undefined
      : 'kind-trigger';
  }
  if (tasks.some((entry) => skillNames.some((name) => has(entry, name)))) return undefined;
  const objects = tasks.some((entry) => entriesOf(entry['assertions']).length > 0);
  return objects || tasks.some((entry) => has(entry, 'expectations')) ? 'skill-creator' : 'agentskills';
}

function isJudged(entry: JsonObject): boolean {
  return ['assertions', 'expectations', 'expected_output', 'files'].some((name) => has(entry, name));
}

function isPromptfoo(value: JsonObject): boolean {
  if (has(value, 'evalId') && isObject(value['config'])) return true;
  if (isList(value, 'scenarios') || has(value, 'defaultTest')) return true;
  if (!has(value, 'tests')) return false;
  return has(value, 'prompts') || isTests(value['tests']);
}

function isTest(value: JsonValue): boolean {
  if (typeof value === 'string') return value.startsWith('file://');
  return isObject(value) && (has(value, 'vars') || has(value, 'assert') || has(value, '__expected'));
}

function isTests(tests: JsonValue | undefined): boolean {
  if (isObject(tests)) return has(tests, 'path');
  return Array.isArray(tests) && tests.some((test) => isObject(test) && (has(test, 'vars') || has(test, 'assert')));
}

function hasLists(value: JsonObject): boolean {
  const inner = [value['trigger_tests'], value['triggerTests'], value['triggers']].find(isObject) ?? value;
  const lists = Object.entries(inner).filter(([, list]) => Array.isArray(list) && list.length > 0);
  if (lists.some(([name]) => polarityOf(name) !== undefined)) return true;
  const nested = Object.values(inner).filter(isObject);
  if (
    nested.some((each) =>
      Object.entries(each).some(([name, list]) => polarityOf(name) !== undefined && Array.isArray(list)),
    )
  )
    return true;
  const all = Object.entries(inner);
  return all.length > 0 && all.every(([name, list]) => isSkillName(name) && Array.isArray(list) && list.every(isQuery));
}

/** Whether something is said in it: names and paths, of which many other files have lists, are single words. */
function isQuery(value: JsonValue): boolean {
  return typeof value === 'string' && /\S\s+\S|[^\p{ASCII}]/u.test(value);
}

function has(value: JsonObject, name: string): boolean {
  return Object.hasOwn(value, name);
}

function isList(value: JsonObject, name: string): boolean {
  return has(value, name) && Array.isArray(value[name]);
}

function entriesOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
