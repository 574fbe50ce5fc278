import { quoted } from '@skillpack/core';
import { isScalar, parseDocument, visit } from 'yaml';

/**
 * The value of a YAML document: JSON, since nothing in it becomes an object of a class.
 *
 * @throws an `Error` whose message says what is wrong, with its line.
 */
export function readScriptYaml(text: string): unknown {
  // The library compares every key with every other one; below that takes linear time.
  const document = parseDocument(text, { uniqueKeys: false, prettyErrors: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) {
    const line = text.slice(0, error.pos[0]).split('\n').length;
    throw new Error(`${error.message} at line ${line}`);
  }
  visit(document, {
    Map: (_, { items }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (keys.has(name)) throw new Error(`the key ${quoted(String(name), 60)} stands twice in one map`);
        keys.add(name);
      }
    },
  });
  return document.toJS({ maxAliasCount: 100 });
}
