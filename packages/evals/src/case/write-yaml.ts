import { escapedJson } from '@skillpack/core';

/**
 * A value as YAML by `write`; where characters are in it that nobody sees, or that turn text around, as JSON with escapes
 * for them, which is YAML, too: YAML has no escapes outside of quotes, and whoever looks at the file is to see all of it.
 */
export function writeYaml<Value extends object>(value: Value, write: (value: Value) => string): string {
  return escapedJson(value) === JSON.stringify(value) ? write(value) : `${escapedJson(value, 2)}\n`;
}
