type Fields = Readonly<Record<string, unknown>>;

// More than any API nests; a message that holds itself ends here.
const deepest = 16;

/** Every text in a message, whatever its API: its content, that of its parts, and what tools returned, however nested. */
export function messageTexts(message: object): readonly string[] {
  const texts: string[] = [];
  const seen = new Set<object>();
  const look = (value: unknown, depth: number): void => {
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null || depth > deepest) return;
    // Pictures and the like hold no text.
    if (seen.has(value) || ArrayBuffer.isView(value)) return;
    seen.add(value);
    for (const inner of Object.values(value)) look(inner, depth + 1);
  };
  look(contentOf(message), 0);
  return texts;
}

/** What a person wrote last. A message in which there are only results of tools is nobody's request. */
export function newestWords(messages: readonly object[]): string {
  for (const message of messages.toReversed()) {
    if (fieldsOf(message)['role'] !== 'user') continue;
    const words = writtenIn(contentOf(message));
    if (words !== '') return words;
  }
  return '';
}

/** Its content or its parts; of what has neither, such as the result of a tool that is a message itself, all of it. */
function contentOf(message: object): unknown {
  const fields = fieldsOf(message);
  return fields['content'] ?? fields['parts'] ?? message;
}

const textTypes: readonly unknown[] = [undefined, 'text', 'input_text'];

function writtenIn(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) => {
      if (typeof part === 'string') return [part];
      const { type, text } = fieldsOf(part);
      return textTypes.includes(type) && typeof text === 'string' ? [text] : [];
    })
    .join('\n');
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
