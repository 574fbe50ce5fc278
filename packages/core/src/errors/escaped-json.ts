import { invisibleCharacters } from './visible-text.js';

/**
 * JSON without a final newline, in which every control, bidirectional or invisible character stands as a `\u` escape
 * (RFC 8259, section 7): a program reads exactly what was there, and whoever looks at the file sees all of it.
 *
 * @param indent spaces of a level; 0 for one line.
 */
export function escapedJson(value: object, indent: number | string = 0): string {
  const json = JSON.stringify(value, null, indent);
  // Most documents are of ASCII alone, and to look for that takes a tenth of the time.
  if (!/[^\n\t\u0020-\u007E]/u.test(json)) return json;
  return json.replace(invisibleCharacters, (character) =>
    // The line breaks and tabs here are those between values: inside of strings they are escaped already.
    character === '\n' || character === '\t' ? character : escaped(character),
  );
}

function escaped(character: string): string {
  let text = '';
  for (let index = 0; index < character.length; index += 1) {
    text += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return text;
}
