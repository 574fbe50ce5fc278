import { type Body, isBody, isTextLike, listOf, type ProviderCall } from './provider-call.js';

const keys = new Set([
  'model',
  'messages',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'seed',
  'stop',
  'stream',
  'stream_options',
  'tools',
  'tool_choice',
  'response_format',
]);

/** What is wrong with a request of chat completions, by OpenAI's reference of its API. */
export function checkChatCall({ method, path, headers, body }: ProviderCall): readonly string[] {
  const tools = listOf(body['tools']).filter(isBody);
  return [
    ...(method === 'POST' ? [] : [`The method is ${method}.`]),
    ...(/^(?:\/[\w.-]+)*\/chat\/completions(?:\?.*)?$/u.test(path) ? [] : [`The path is ${path}.`]),
    ...(headers['content-type'] === 'application/json' ? [] : [`It is ${headers['content-type']}.`]),
    ...Object.keys(body).flatMap((key) => (keys.has(key) ? [] : [`There is no parameter ${key}.`])),
    ...(typeof body['model'] === 'string' ? [] : ['There is no model.']),
    ...checkMessages(listOf(body['messages']).filter(isBody)),
    ...checkTools(tools, body),
    ...checkFormat(body),
    ...checkNumbers(body),
  ];
}

function checkMessages(messages: readonly Body[]): readonly string[] {
  const problems = messages.length === 0 ? ['There are no messages.'] : [];
  let open: readonly unknown[] = [];
  for (const [at, message] of messages.entries()) {
    const { role, content } = message;
    const where = `messages.${at}`;
    const calls = listOf(message['tool_calls']).filter(isBody);
    if (role === 'tool') {
      if (!open.includes(message['tool_call_id'])) problems.push(`${where} answers no call before it.`);
      open = open.filter((id) => id !== message['tool_call_id']);
    } else if (open.length > 0) problems.push(`${where} comes before the results of ${open.join(', ')}.`);
    if (!['system', 'developer', 'user', 'assistant', 'tool'].includes(String(role))) {
      problems.push(`${where} has the role ${String(role)}.`);
    }
    if (role === 'system' && at > 0) problems.push(`${where} is a second system message.`);
    if (typeof content !== 'string' && listOf(content).length === 0 && calls.length === 0) {
      problems.push(`${where} has no content.`);
    }
    if (calls.length > 0) open = calls.map((call) => call['id']);
    problems.push(...calls.flatMap((call) => checkToolCall(call, where)));
  }
  return open.length === 0 ? problems : [...problems, `The calls ${open.join(', ')} have no results.`];
}

function checkToolCall({ id, type, function: called }: Body, where: string): readonly string[] {
  if (typeof id !== 'string' || id === '' || type !== 'function' || !isBody(called)) return [`${where} has no call.`];
  const { name, arguments: input } = called;
  try {
    return typeof name === 'string' && isBody(JSON.parse(String(input))) ? [] : [`${where} calls with no object.`];
  } catch {
    return [`${where} calls with what is no JSON: ${String(input)}`];
  }
}

function checkTools(tools: readonly Body[], body: Body): readonly string[] {
  const names = tools.map((tool) => (isBody(tool['function']) ? tool['function']['name'] : undefined));
  const choice = body['tool_choice'];
  const chosen = isBody(choice) && isBody(choice['function']) ? choice['function']['name'] : undefined;
  return [
    ...(new Set(names).size === names.length ? [] : ['Two tools have one name.']),
    ...tools.flatMap((tool) => checkTool(tool)),
    ...(body['tools'] !== undefined && tools.length === 0 ? ['The list of tools is empty.'] : []),
    ...(choice === undefined || tools.length > 0 ? [] : ['There is a choice and no tool.']),
    ...(choice === undefined ||
    choice === 'auto' ||
    choice === 'none' ||
    choice === 'required' ||
    names.includes(chosen)
      ? []
      : [`The choice ${String(chosen)} is no tool.`]),
  ];
}

function checkTool({ type, function: described }: Body): readonly string[] {
  if (type !== 'function' || !isBody(described)) return ['A tool is no function.'];
  const { name, parameters, strict } = described;
  const valid = isTextLike(name, /^[\w-]{1,64}$/u);
  return [
    ...(valid ? [] : [`The name ${String(name)} of a tool is not valid.`]),
    ...checkSchema(parameters, `The tool ${String(name)}`, strict === true),
  ];
}

/** A schema's top is an object without a choice; a strict one wants every field required, and no object open. */
export function checkSchema(schema: unknown, what: string, strict: boolean): readonly string[] {
  if (!isBody(schema) || schema['type'] !== 'object') return [`${what} has a schema of no object.`];
  const choice = ['anyOf', 'oneOf', 'allOf', 'enum', 'not'].filter((key) => key in schema);
  return [
    ...choice.map((key) => `${what} has ${key} at the top of its schema.`),
    ...(strict && !isStrict(schema) ? [`${what} has a schema that cannot be strict.`] : []),
  ];
}

function isStrict(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every((inner) => isStrict(inner));
  if (!isBody(schema)) return true;
  const properties = isBody(schema['properties']) ? schema['properties'] : {};
  const required = listOf(schema['required']);
  const closed = schema['type'] !== 'object' || schema['additionalProperties'] === false;
  return (
    closed &&
    Object.keys(properties).every((name) => required.includes(name)) &&
    Object.values(properties).every((inner) => isStrict(inner)) &&
    [schema['items'], schema['anyOf']].every((inner) => isStrict(inner))
  );
}

function checkFormat(body: Body): readonly string[] {
  const format = body['response_format'];
  if (format === undefined) return [];
  if (!isBody(format)) return ['response_format is no object.'];
  if (format['type'] === 'json_object') {
    return /json/iu.test(JSON.stringify(body['messages'])) ? [] : ['json_object without the word JSON.'];
  }
  const described = format['json_schema'];
  if (format['type'] !== 'json_schema' || !isBody(described)) return ['response_format is not known.'];
  const named = isTextLike(described['name'], /^[\w-]{1,64}$/u);
  return [
    ...(named ? [] : ['The schema has no name.']),
    ...checkSchema(described['schema'], 'response_format', described['strict'] === true),
  ];
}

function checkNumbers(body: Body): readonly string[] {
  const { max_tokens: limit, temperature, seed, stream, stream_options: options } = body;
  const whole = (value: unknown, least: number): boolean => Number.isSafeInteger(value) && Number(value) >= least;
  return [
    ...(limit === undefined || whole(limit, 1) ? [] : ['max_tokens is not valid.']),
    ...(seed === undefined || Number.isSafeInteger(seed) ? [] : ['seed is not valid.']),
    ...(temperature === undefined || (Number(temperature) >= 0 && Number(temperature) <= 2) ? [] : ['temperature.']),
    ...(options === undefined || stream === true ? [] : ['stream_options without a stream.']),
  ];
}
