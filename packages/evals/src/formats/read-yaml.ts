import { quoted } from '@skillpack/core';
import { isScalar, parseDocument, visit } from 'yaml';

// Each is looked up in the whole document.
const mostAliases = 100;

/**
 * The value of a YAML document: JSON, since nothing in it becomes an object of a class.
 *
 * @throws an `Error` whose message says what is wrong, with its line.
 */
export function readYaml(text: string): unknown {
  // The library compares every key with every other one; below that takes linear time.
  const document = parseDocument(text, {
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'error',
    // No tag, and no directive of an older version, makes anything but JSON.
    schema: 'core',
    resolveKnownTags: false,
  });
  // A tag that nothing is made of would be passed over, and a key that is no text written as one.
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined)
    throw new Error(`${error.message} at line ${text.slice(0, error.pos[0]).split('\n').length}`);
  let aliases = 0;
  visit(document, {
    Alias: () => {
      aliases += 1;
      if (aliases > mostAliases) throw new Error(`it has more than ${mostAliases} aliases`);
    },
    Map: (_, { items }) => {
      const keys = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) throw new Error('it has a key that is no text');
        // Of the core schema, a scalar is a text, a number, yes or no, or nothing.
        const name = String((key.value as string | number | boolean | null) ?? '');
        if (keys.has(name)) throw new Error(`the key ${quoted(name, 60)} stands twice in one map`);
        keys.add(name);
      }
    },
  });
  return document.toJS({ maxAliasCount: mostAliases });
}
