import { createSkillSearch, type ModelMessage, type ModelRequest, type SkillEntry } from '@skillpack/core';
import type { ScriptReply } from './model-script.js';
import { bodyIn, calledAgain, unescaped } from './prompt-blocks.js';
import type { Conversation } from './read-conversation.js';

const longestAnswer = 1200;
const longestLine = 2000;

/**
 * A script for any set of skills: it picks the skill whose line in the catalogue fits the request best, reads it, and
 * answers with what it says; where no line fits it searches, and where that finds nothing it says so. It understands
 * nothing: it shows what an agent does with skills, without a model.
 */
export function searchAndAnswer(conversation: Conversation, request: ModelRequest): ScriptReply {
  const called = bodyIn(newestOf(request.messages));
  if (called !== undefined) return answer(said(called.skill, called.text));
  const again = calledAgain(newestOf(request.messages));
  const above = again === undefined ? undefined : newestBody(request.messages, again);
  if (again !== undefined && above !== undefined) return answer(said(again, above));
  const last = conversation.decisions.at(-1)?.action;
  const name = bestSkill(conversation, request);
  const body = name === undefined ? undefined : newestBody(request.messages, name);
  if (name !== undefined && body !== undefined) return answer(said(name, body));
  if (last?.kind === 'select_skills') return answer(ofSelected(last.skills[0]?.name ?? '', conversation, request));
  if (name !== undefined && request.actions.includes('select_skills')) {
    const reason = 'Of all skills, what it is for shares the most words with the request.';
    return { action: { kind: 'select_skills', skills: [{ name }], reason } };
  }
  const query = conversation.request.slice(0, 500).toWellFormed();
  if (last === undefined && query !== '' && request.actions.includes('search_skills')) {
    return { action: { kind: 'search_skills', query } };
  }
  return answer('No skill here fits the request, and this script knows nothing but skills.');
}

function answer(content: string): ScriptReply {
  return { action: { kind: 'final_answer', content } };
}

function said(name: string, body: string): string {
  if (body.length <= longestAnswer) return `The skill “${name}” says:\n\n${body}`;
  const cut = body.slice(0, longestAnswer);
  // At the end of a paragraph, or at least of a line.
  const end = [cut.lastIndexOf('\n\n'), cut.lastIndexOf('\n')].find((at) => at > longestAnswer / 2);
  return `The skill “${name}” begins so:\n\n${cut.slice(0, end).trimEnd().toWellFormed()}\n…`;
}

/** What a skill says that was found by a search, or whose body stands in no block. */
function ofSelected(name: string, { observation }: Conversation, { messages }: ModelRequest): string {
  const body = newestBody(messages, name);
  if (body !== undefined) return said(name, body);
  if (observation?.ok === true) return said(name, observation.content);
  return `The skill “${name}” could not be read: ${observation?.content.slice(0, 500).toWellFormed() ?? 'nothing came of it'}`;
}

function newestOf(messages: readonly ModelMessage[]): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? '';
}

function newestBody(messages: readonly ModelMessage[], name: string): string | undefined {
  for (const { role, content } of messages.toReversed()) {
    const body = role === 'assistant' ? undefined : bodyIn(content, name);
    if (body !== undefined) return body.text;
  }
  return undefined;
}

interface Listed {
  readonly name: string;
  readonly description: string;
}

/** Of the catalogue, then of what a search found. */
function bestSkill(conversation: Conversation, request: ModelRequest): string | undefined {
  const found = conversation.decisions.at(-1)?.action.kind === 'search_skills' ? conversation.observation : undefined;
  return bestOf(conversation.request, listedIn(request.system)) ?? listedIn(found?.content ?? '')[0]?.name;
}

function bestOf(query: string, skills: readonly Listed[]): string | undefined {
  const words = wordsOf(query);
  const fitting = skills.filter((skill) => sharesWord(words, skill));
  const search = createSkillSearch(fitting.map((skill) => ({ entry: entryOf(skill) })));
  return search.find(query, { limit: 1 })[0]?.entry.name ?? fitting[0]?.name;
}

function sharesWord(words: readonly string[], { name, description }: Listed): boolean {
  const text = `${name} ${description}`.toLowerCase();
  return words.some((word) => text.includes(word));
}

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

// Words that say something: three letters and more, without the ending of longer ones; two where a script writes words so
// short.
function wordsOf(text: string): readonly string[] {
  // For the segmenter `report.pdf` is one word.
  const separate = text.slice(0, 4000).toLowerCase().replaceAll(/[._]/gu, ' ');
  return [...segmenter.segment(separate)]
    .filter(
      ({ isWordLike, segment }) => isWordLike === true && segment.length >= (/^\p{ASCII}+$/u.test(segment) ? 3 : 2),
    )
    .map(({ segment }) => (segment.length > 5 ? segment.slice(0, -2) : segment))
    .filter((word) => !common.has(word));
}

const common = new Set(
  (
    'the and for with this that from what which where when who why how can could you your use are was were does did has ' +
    'have had will would should about into not but all any please tell say says give'
  ).split(' '),
);

// `- **pdf** (/skills/pdf): Reads PDF.`, `- pdf: Reads PDF.`, `- pdf (user): Reads PDF.`, `- pdf`
const line = /^- (?:\*\*(?<bold>.+?)\*\*|(?<plain>[^\s:*]+))(?: \(.*?\))?(?:: (?<description>.*))?$/u;

function listedIn(text: string): readonly Listed[] {
  const start = text.indexOf('<available_skills>');
  const end = start === -1 ? -1 : text.indexOf('</available_skills>', start);
  const list = end === -1 ? text : text.slice(start, end);
  return list.split('\n').flatMap((written) => {
    const groups = line.exec(written.slice(0, longestLine))?.groups;
    const name = groups?.['bold'] ?? groups?.['plain'];
    return name === undefined ? [] : [{ name: unescaped(name), description: unescaped(groups?.['description'] ?? '') }];
  });
}

function entryOf({ name, description }: Listed): SkillEntry {
  return {
    name,
    scope: 'other',
    location: name,
    pack: undefined,
    packVersion: undefined,
    digest: undefined,
    diagnostics: [],
    head: {
      name,
      description,
      license: undefined,
      compatibility: undefined,
      metadata: {},
      allowedTools: undefined,
      version: undefined,
      author: undefined,
      modelInvocable: true,
      userInvocable: true,
      runMode: 'inline',
      frontMatter: {},
      bodyLine: 1,
    },
  };
}
