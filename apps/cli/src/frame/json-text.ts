// What a terminal might act on or hide, and JSON.stringify leaves as it is: DEL and C1, bidirectional and invisible ones.
const unsafe =
  /[\u007F-\u009F\u00AD\u061C\u115F\u1160\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]/gu;

/**
 * One JSON document and a newline. Every control, bidirectional and invisible character is written as a `\u` escape
 * (RFC 8259, section 7): a program reads exactly what was there, and no terminal acts on it.
 */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replace(unsafe, escapeUnits)}\n`;
}

function escapeUnits(character: string): string {
  let escaped = '';
  for (let index = 0; index < character.length; index += 1) {
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
