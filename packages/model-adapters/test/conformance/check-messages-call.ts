import { checkSchema } from './check-chat-call.js';
import { type Body, isBody, isTextLike, listOf, type ProviderCall } from './provider-call.js';

const keys = new Set([
  'model',
  'max_tokens',
  'messages',
  'system',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'stop_sequences',
  'metadata',
  'tools',
  'tool_choice',
  'output_config',
  'cache_control',
  'thinking',
]);

/** The provider of the AI SDK sends the first, Anthropic's own SDK the second. */
const versions = new Set(['2023-06-01', '2026-10-21']);

/** What is wrong with a request of the protocol of messages, by Anthropic's reference of its API. */
export function checkMessagesCall({ method, path, headers, body }: ProviderCall): readonly string[] {
  const messages = listOf(body['messages']).filter(isBody);
  return [
    ...(method === 'POST' ? [] : [`The method is ${method}.`]),
    ...(/^(?:\/[\w.-]+)*\/v1\/messages$/u.test(path) ? [] : [`The path is ${path}.`]),
    ...(headers['content-type'] === 'application/json' ? [] : [`It is ${headers['content-type']}.`]),
    ...(versions.has(String(headers['anthropic-version'])) ? [] : ['There is no anthropic-version.']),
    ...(typeof (headers['x-api-key'] ?? headers.authorization) === 'string' ? [] : ['There is no key.']),
    ...Object.keys(body).flatMap((key) => (keys.has(key) ? [] : [`There is no parameter ${key}.`])),
    ...(typeof body['model'] === 'string' ? [] : ['There is no model.']),
    ...(Number.isSafeInteger(body['max_tokens']) && Number(body['max_tokens']) > 0 ? [] : ['max_tokens is missing.']),
    ...(body['system'] === undefined ? [] : checkText(body['system'], 'system')),
    ...checkTurns(messages),
    ...messages.flatMap((message, at) => checkBlocks(message, messages[at - 1], `messages.${at}`)),
    ...checkTools(body, messages),
  ];
}

function checkTurns(messages: readonly Body[]): readonly string[] {
  const roles = messages.map((message) => message['role']);
  return [
    ...(roles[0] === 'user' ? [] : ['The first message is not the user’s.']),
    ...(roles.at(-1) === 'user' ? [] : ['The last message is not the user’s.']),
    ...roles.flatMap((role, at) => (role === roles[at - 1] ? [`messages.${at} is a second ${String(role)}.`] : [])),
    ...roles.flatMap((role) => (role === 'user' || role === 'assistant' ? [] : [`The role ${String(role)}.`])),
  ];
}

const blocksOf = (message: Body | undefined): readonly Body[] => listOf(message?.['content']).filter(isBody);

const idsOf = (message: Body | undefined, type: string, field: string): readonly unknown[] =>
  blocksOf(message).flatMap((block) => (block['type'] === type ? [block[field]] : []));

function checkBlocks(message: Body, before: Body | undefined, where: string): readonly string[] {
  const content = message['content'];
  const blocks = blocksOf(message);
  const asked = idsOf(before, 'tool_use', 'id');
  const results = idsOf(message, 'tool_result', 'tool_use_id');
  const first = blocks.slice(0, results.length).every((block) => block['type'] === 'tool_result');
  return [
    ...(typeof content === 'string' ? checkText(content, where) : []),
    ...(typeof content !== 'string' && blocks.length === 0 ? [`${where} is empty.`] : []),
    ...blocks.flatMap((block) => checkBlock(block, where)),
    ...asked.flatMap((id) => (results.includes(id) ? [] : [`${where} has no result of ${String(id)}.`])),
    ...results.flatMap((id) => (asked.includes(id) ? [] : [`${where} answers no call: ${String(id)}.`])),
    ...(first ? [] : [`${where} has something before its results.`]),
  ];
}

function checkBlock(block: Body, where: string): readonly string[] {
  switch (block['type']) {
    case 'text':
      return checkText(block['text'], where);
    case 'tool_use':
      return [
        ...(isTextLike(block['id'], /^[\w-]+$/u) ? [] : [`${where} has a call with no id.`]),
        ...(isBody(block['input']) ? [] : [`${where} calls with no object.`]),
      ];
    case 'tool_result':
      return typeof block['content'] === 'string' || listOf(block['content']).length > 0
        ? []
        : [`${where} has a result without content.`];
    default:
      return [`${where} has a block ${String(block['type'])}.`];
  }
}

function checkText(text: unknown, where: string): readonly string[] {
  const texts = typeof text === 'string' ? [text] : listOf(text).map((block) => (isBody(block) ? block['text'] : ''));
  return texts.flatMap((part) =>
    typeof part !== 'string' || part.trim() === '' ? [`${where} has an empty text.`] : [],
  );
}

function checkTools(body: Body, messages: readonly Body[]): readonly string[] {
  const tools = listOf(body['tools']).filter(isBody);
  const choice = body['tool_choice'];
  const called = messages.some((message) => blocksOf(message).some(({ type }) => type === 'tool_use'));
  const names = tools.map((tool) => tool['name']);
  return [
    ...(called && tools.length === 0 ? ['There are calls and no tools.'] : []),
    ...(new Set(names).size === names.length ? [] : ['Two tools have one name.']),
    ...tools.flatMap((tool) => [
      ...(isTextLike(tool['name'], /^[\w-]{1,128}$/u) ? [] : [`The tool ${String(tool['name'])} has no valid name.`]),
      ...checkSchema(tool['input_schema'], `The tool ${String(tool['name'])}`, tool['strict'] === true),
    ]),
    ...(choice === undefined || tools.length > 0 ? [] : ['There is a choice and no tool.']),
    ...(isBody(choice) && choice['type'] === 'tool' && !names.includes(choice['name'])
      ? ['The choice is no tool.']
      : []),
  ];
}
