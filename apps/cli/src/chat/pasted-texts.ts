/** Texts of several lines that were pasted: on the line that is edited a mark stands for each. */
export interface PastedTexts {
  /** What stands on the line for a text: the text itself where it is one line. */
  mark(text: string): string;
  /** The line with the texts in the place of their marks. */
  expand(line: string): string;
}

const most = 50;
const longestPlain = 2000;

/** None yet. The newest fifty are remembered. */
export function createPastedTexts(): PastedTexts {
  const texts = new Map<string, string>();
  let count = 0;
  return {
    mark: (text) => {
      const trimmed = withoutLastBreaks(text);
      if (!trimmed.includes('\n') && trimmed.length <= longestPlain) return trimmed.replaceAll('\t', ' ');
      count += 1;
      const mark = `[pasted ${count}: ${trimmed.split('\n').length} lines]`;
      texts.set(mark, trimmed);
      const [oldest] = texts.keys();
      if (texts.size > most && oldest !== undefined) texts.delete(oldest);
      return mark;
    },
    expand: (line) =>
      // By a function, as a text may hold what `replace` takes for a pattern.
      line.replaceAll(/\[pasted \d+: \d+ lines\]/gu, (mark) => texts.get(mark) ?? mark),
  };
}

/** By steps: an expression would try every run of line breaks in the text. */
function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}
