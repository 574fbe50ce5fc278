import { parseJson } from '@skillpack/core';
import { type ErrorLink, textOf } from './error-chain.js';

/** What the body of an error says, in whichever of the forms that servers have. */
export interface ErrorBody {
  /** For people; empty where there is none. */
  readonly message: string;
  /** `type`, `code` and the like, in lower case. */
  readonly words: readonly string[];
  /** The status that the body itself names, as an answer with 200 does whose stream failed. */
  readonly status: number | undefined;
}

/**
 * Reads the body of an error: `{"error": {"message", "type", "code"}}` of OpenAI, `{"type": "error", "error": {…}}` of
 * Anthropic, `{"error": "…"}` of Ollama, `{"object": "error", "message", …}` of vLLM, `{"detail": …}` of FastAPI, a list
 * with one of these, or what is no JSON.
 */
export function readErrorBody(text: string): ErrorBody {
  try {
    return readErrorValue(parseJson(text));
  } catch {
    // A page of a proxy, or a text: its tags say nothing to a person.
    const plain = /^\s*</u.test(text) ? textOfPage(text.slice(0, pageLimit)) : text;
    return { message: plain.replace(/\s+/gu, ' ').trim(), words: [], status: undefined };
  }
}

// Its title and first words; what is left of tags below is looked at more than once.
const pageLimit = 8192;

function textOfPage(html: string): string {
  return html.replace(/<(style|script)\b[^]*?<\/\1\s*>|<[^<>]*>/giu, ' ');
}

/** As {@link readErrorBody}, of what is JSON already. */
export function readErrorValue(value: unknown): ErrorBody {
  if (typeof value === 'string') return { message: value, words: [], status: undefined };
  if (Array.isArray(value)) return readErrorObject((value as readonly unknown[])[0]);
  return readErrorObject(value);
}

function readErrorObject(value: unknown): ErrorBody {
  if (!isObject(value)) return { message: '', words: [], status: undefined };
  const inner = typeof value['error'] === 'string' ? { message: value['error'] } : value['error'];
  const told = isObject(inner) ? inner : value;
  const words = [value, told].flatMap((from) => wordFields.map((field) => textOf(from, field).toLowerCase()));
  const message = [textOf(told, 'message'), detailOf(told['message'] ?? told['detail']), textOf(told, 'msg')];
  return {
    message: message.find((text) => text !== '') ?? '',
    words: [...new Set(words.filter((word) => word !== '' && word !== 'error'))],
    status: [told['code'], told['status'], told['statusCode']].find(isErrorStatus),
  };
}

const wordFields = ['type', 'code', 'status', 'error_type', 'object'];

/** Of lists within lists no more than anybody writes. */
function detailOf(detail: unknown, depth: number = 0): string {
  if (typeof detail === 'string') return detail;
  if (depth > 4) return '';
  if (Array.isArray(detail)) return detailOf((detail as readonly unknown[])[0], depth + 1);
  if (!isObject(detail)) return '';
  return textOf(detail, 'msg') || textOf(detail, 'message') || detailOf(detail['detail'], depth + 1);
}

function isErrorStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 400 && value < 600;
}

function isObject(value: unknown): value is ErrorLink {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
