/** A text that a template engine leaves as it is. */
export function literalTemplate(text: string): string {
  if (!/\{[{%#]/u.test(text)) return text;
  // What begins or ends a raw block stands outside of one, as a text in an expression.
  const parts = text.split(/(\{%-?\s*(?:end)?raw\s*-?%\})/u);
  return parts.map((part, index) => (index % 2 === 0 ? raw(part) : `{{ ${JSON.stringify(part)} }}`)).join('');
}

function raw(text: string): string {
  return text === '' ? '' : `{% raw %}${text}{% endraw %}`;
}
