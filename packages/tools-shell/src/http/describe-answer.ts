import { visibleLines, visibleText, withoutCredentials, type ToolOutcome } from '@skillpack/core';
import { answerText } from './answer-text.js';
import type { HttpAnswer } from './send-request.js';

/** How an answer is told. */
export interface DescribeRules {
  /** Takes secrets out of a text: of a whole one, since half a secret is told by nothing. */
  readonly redact: (text: string) => string;
  /** UTF-16 code units of a body that are shown. */
  readonly answerLength: number;
}

/** Headers that say what to do next, or what the body is. Never one that holds a cookie. */
const toldHeaders = [
  'accept-ranges',
  'allow',
  'content-disposition',
  'content-language',
  'content-length',
  'content-range',
  'etag',
  'last-modified',
  'link',
  'location',
  'ratelimit',
  'retry-after',
  'www-authenticate',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
];
const longestHeader = 500;
const outputName = 'body';

/**
 * What a model is told of an answer: what came, by which status, some headers, and the text of the body, whose middle is
 * left out where it is long. The whole of that, and what is no text, is kept as `body`. A status of 400 or more is no
 * failure of the tool: it was asked what the server says, and that is what the server says.
 */
export function describeAnswer(answer: HttpAnswer, rules: DescribeRules): ToolOutcome {
  const { method, status, redirects, headers, bytes, coding, elsewhere } = answer;
  const told = (text: string, length: number = longestHeader): string =>
    clipped(visibleText(rules.redact(text)), length);
  const url = told(withoutCredentials(answer.url.href), 2_000);
  const type = headers['content-type'] === undefined ? undefined : told(headers['content-type'], 200);
  const body = describeBody(answer, type, rules);
  const facts = [
    `${method} ${url} answered ${status}${type === undefined ? '' : `, ${type}`}, ${bytes.length} bytes.`,
    ...(redirects === 0 ? [] : [`${redirects} ${redirects === 1 ? 'redirect was' : 'redirects were'} followed.`]),
    ...(elsewhere === undefined ? [] : [elsewhereText(told(withoutCredentials(elsewhere.href), 2_000))]),
    ...(coding === undefined ? [] : [`It is still encoded as ${told(coding, 50)}, which is not unpacked here.`]),
    ...toldHeaders.flatMap((name) =>
      headers[name] === undefined ? [] : [`${name}: ${told(headerText(name, headers[name]))}`],
    ),
  ];
  return {
    content: [...facts, ...(body.text === undefined ? [] : ['', body.text])].join('\n'),
    contentForUser: `${method} ${url} answered ${status}, ${bytes.length} bytes.`,
    output: {
      status,
      url,
      redirects,
      content_type: type ?? null,
      bytes: bytes.length,
      truncated: body.truncated,
    },
    ...(body.kept === undefined ? {} : { outputs: [{ name: outputName, bytes: body.kept }] }),
  };
}

function elsewhereText(url: string): string {
  return `It leads to another host, which was not asked: ${url} – to go there, request that.`;
}

function headerText(name: string, value: string): string {
  return name === 'location' ? withoutCredentials(value) : value;
}

interface DescribedBody {
  readonly text: string | undefined;
  readonly truncated: boolean;
  /** What is kept beside the answer. */
  readonly kept?: Uint8Array;
}

function describeBody(
  { bytes, coding, headers }: HttpAnswer,
  type: string | undefined,
  rules: DescribeRules,
): DescribedBody {
  if (bytes.length === 0) return { text: undefined, truncated: false };
  const decoded = coding === undefined ? answerText(bytes, headers['content-type']) : undefined;
  if (decoded === undefined) {
    const what = `Its body is no text${type === undefined ? '' : ` but ${type}`}; its ${bytes.length} bytes are kept as “${outputName}”.`;
    return { text: what, truncated: false, kept: bytes };
  }
  const whole = rules.redact(decoded);
  const { text, truncated } = shortened(visibleLines(whole), rules.answerLength);
  return { text: `Its body:\n${text}`, truncated, ...(truncated ? { kept: new TextEncoder().encode(whole) } : {}) };
}

/** The beginning and the end of a text that is too long. */
function shortened(text: string, length: number): { readonly text: string; readonly truncated: boolean } {
  if (text.length <= length) return { text, truncated: false };
  const side = Math.floor(length / 2);
  const note = `\n[… ${text.length - 2 * side} of ${text.length} characters are left out here; the whole is kept as “${outputName}” …]\n`;
  const head = text.slice(0, side).toWellFormed();
  const tail = text.slice(text.length - side).toWellFormed();
  return { text: `${head}${note}${tail}`, truncated: true };
}

function clipped(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}
