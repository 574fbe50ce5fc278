import { expect, test } from 'vitest';
import { checkChatCall } from './check-chat-call.js';
import { checkMessagesCall } from './check-messages-call.js';
import type { Body, ProviderCall } from './provider-call.js';

const callOf = (path: string, body: Body, headers: ProviderCall['headers'] = {}): ProviderCall => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', 'x-api-key': 'k', 'anthropic-version': '2023-06-01', ...headers },
  text: JSON.stringify(body),
  body,
  closed: Promise.resolve({ cutOff: false }),
});

const user = { role: 'user', content: 'Hello.' };
const parameters = { type: 'object', properties: {} };
const tools = [{ type: 'function', function: { name: 'shout', parameters } }];
const calling = {
  role: 'assistant',
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'shout', arguments: '{}' } }],
};
const result = { role: 'tool', tool_call_id: 'a', content: 'Done.' };
const chatBody = { model: 'm', messages: [user, calling, result], tools };

test('the server takes a request of chat completions as the reference has it', () => {
  expect(checkChatCall(callOf('/v1/chat/completions', chatBody))).toEqual([]);
});

const schema = (fields: Body) => ({ response_format: { type: 'json_schema', json_schema: fields } });

test.for<readonly [string, Body]>([
  ['no messages', { messages: [] }],
  ['an unknown parameter', { shout: true }],
  ['a call without its result', { messages: [user, calling, user] }],
  ['a call at the end', { messages: [user, calling] }],
  ['a result without its call', { messages: [user, result] }],
  ['a second system text', { messages: [user, { role: 'system', content: 'x' }] }],
  ['a message without content', { messages: [{ role: 'user' }] }],
  [
    'arguments that are no JSON',
    {
      messages: [
        user,
        { ...calling, tool_calls: [{ ...calling.tool_calls[0], function: { name: 'shout', arguments: '{' } }] },
        result,
      ],
    },
  ],
  ['a choice without tools', { tools: undefined, tool_choice: 'required' }],
  ['a choice that is no tool', { tool_choice: { type: 'function', function: { name: 'cry' } } }],
  ['two tools of one name', { tools: [...tools, ...tools] }],
  ['a tool whose name is none', { tools: [{ type: 'function', function: { name: 'a b', parameters } }] }],
  [
    'a tool whose schema is no object',
    { tools: [{ type: 'function', function: { name: 'a', parameters: { anyOf: [] } } }] },
  ],
  [
    'a strict schema with an open object',
    schema({
      name: 'x',
      strict: true,
      schema: { type: 'object', properties: { a: { type: 'object' } }, required: ['a'], additionalProperties: false },
    }),
  ],
  ['a schema without a name', schema({ schema: parameters })],
  ['stream_options without a stream', { stream_options: { include_usage: true } }],
  ['no tokens', { max_tokens: 0 }],
])('the server refuses a request of chat completions with %s', ([, change]) => {
  expect(checkChatCall(callOf('/v1/chat/completions', { ...chatBody, ...change }))).not.toEqual([]);
});

const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'shout', input: {} }] };
const used = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Done.' }] };
const messagesBody = {
  model: 'm',
  max_tokens: 9,
  system: [{ type: 'text', text: 'Be loud.' }],
  messages: [user, use, used],
  tools: [{ name: 'shout', input_schema: parameters }],
};

test('the server takes a request of messages as the reference has it', () => {
  expect(checkMessagesCall(callOf('/v1/messages', messagesBody))).toEqual([]);
});

test.for<readonly [string, Body]>([
  ['an answer first', { messages: [use, used] }],
  ['an answer last', { messages: [user, use] }],
  ['two of one role', { messages: [user, user] }],
  ['a use without its result', { messages: [user, use, user] }],
  ['a result without its use', { messages: [used] }],
  [
    'a text before the result',
    { messages: [user, use, { role: 'user', content: [{ type: 'text', text: 'x' }, ...used.content] }] },
  ],
  ['an empty text', { messages: [{ role: 'user', content: [{ type: 'text', text: ' ' }] }] }],
  ['an empty system text', { system: '' }],
  ['uses and no tools', { tools: undefined }],
  ['a tool without a schema', { tools: [{ name: 'shout' }] }],
  ['a choice that is no tool', { tool_choice: { type: 'tool', name: 'cry' } }],
  ['no limit', { max_tokens: undefined }],
  ['an unknown parameter', { shout: true }],
  ['a role of a system', { messages: [{ role: 'system', content: 'x' }, user] }],
])('the server refuses a request of messages with %s', ([, change]) => {
  expect(checkMessagesCall(callOf('/v1/messages', { ...messagesBody, ...change }))).not.toEqual([]);
});

test('the server refuses requests to another address, of another kind, or without their headers', () => {
  expect(checkChatCall(callOf('/v1/completions', chatBody))).not.toEqual([]);
  expect(checkChatCall({ ...callOf('/v1/chat/completions', chatBody), method: 'GET' })).not.toEqual([]);
  expect(checkChatCall(callOf('/v1/chat/completions', chatBody, { 'content-type': 'text/plain' }))).not.toEqual([]);
  expect(checkMessagesCall(callOf('/messages', messagesBody))).not.toEqual([]);
  expect(checkMessagesCall(callOf('/v1/messages', messagesBody, { 'x-api-key': undefined }))).not.toEqual([]);
  expect(checkMessagesCall(callOf('/v1/messages', messagesBody, { 'anthropic-version': '1' }))).not.toEqual([]);
});
