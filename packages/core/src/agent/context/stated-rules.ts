import { visibleText } from '../../errors/visible-text.js';
import { cutText } from './cut-text.js';

/** A rule that a text states, and the line it begins on, from 1. */
export interface StatedRule {
  readonly line: number;
  readonly text: string;
}

/** How many rules are taken from a text. */
export interface StatedRuleLimits {
  /** @default 40 */
  readonly rules?: number | undefined;
  /** UTF-16 code units of each. @default 240 */
  readonly length?: number | undefined;
}

interface Block {
  readonly line: number;
  readonly text: string;
  readonly listed: boolean;
}

const strong =
  /\b(?:MUST|NEVER|ALWAYS|DO NOT|DON['’]T|SHALL|REQUIRED|FORBIDDEN)\b|必须|不得|禁止|严禁|务必|切勿|必ず|してはいけ|してはなら|반드시|금지|절대/u;
const plain = /\b(?:must|never|always|do not|don['’]t|shall|required|forbidden|cannot)\b|不要|不能|不可|一定要/iu;
const sentenceEnd = /(?<=[.!?](?=\s)|[。！？])\s*/u;
const fence = /^\s*(?:`{3,}|~{3,})/u;
const marker = /^\s*(?:[-+*]|\d{1,9}[.)])\s+/u;
const longestLine = 10_000;

/**
 * The rules that a text states as musts, in order: items of lists and sentences with must, never, always and the like, in
 * English, Chinese, Japanese or Korean. Code is passed over. Where there are too many, those in capitals come first.
 */
export function statedRules(body: string, limits: StatedRuleLimits = {}): readonly StatedRule[] {
  const most = limits.rules ?? 40;
  const length = limits.length ?? 240;
  const found = blocksOf(body).flatMap(({ line, text, listed }) => {
    const sentences = listed && text.length <= length ? [text] : text.split(sentenceEnd);
    return sentences
      .filter((sentence) => strong.test(sentence) || plain.test(sentence))
      .map((sentence) => ({ line, text: cutText(visibleText(sentence).trim(), length) }));
  });
  if (found.length <= most) return found;
  const kept = new Set(found.filter(({ text }) => strong.test(text)).slice(0, most));
  for (const rule of found) if (kept.size < most) kept.add(rule);
  return found.filter((rule) => kept.has(rule));
}

/** Paragraphs and items of lists, each as one line; without code and headings. */
function blocksOf(body: string): readonly Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  let inCode = false;
  const close = (): void => {
    if (open !== undefined) blocks.push(open);
    open = undefined;
  };
  for (const [index, whole] of body.split('\n').entries()) {
    const line = whole.slice(0, longestLine);
    if (fence.test(line)) inCode = !inCode;
    const text = line.replace(marker, '').trim();
    const listed = marker.test(line);
    if (inCode || fence.test(line) || text === '' || text.startsWith('#')) close();
    else if (listed || open === undefined || open.text.length > longestLine) {
      close();
      open = { line: index + 1, text, listed };
    } else open = { ...open, text: `${open.text} ${text}` };
  }
  close();
  return blocks;
}
