import type { ModelFacts, ModelTable } from './model-table.js';

/**
 * What a table says of a model. Of the keys that stand for its name, the one that says most counts: the whole name before
 * the beginning of one, a longer beginning before a shorter one, and with its provider before without.
 *
 * @param name `provider:model`, as an adapter is named.
 */
export function findModel(table: ModelTable, name: string): ModelFacts | undefined {
  // A model may have colons of its own: `ollama:llama3.3:70b`.
  const model = name.slice(name.indexOf(':') + 1);
  for (const wanted of new Set([name, model])) {
    if (Object.hasOwn(table, wanted)) return table[wanted];
  }
  const prefixes = Object.keys(table).filter((key) => key.endsWith('*'));
  const fitting = prefixes.flatMap((key) => {
    const prefix = key.slice(0, -1);
    const whole = name.startsWith(prefix) && prefix.includes(':');
    if (!whole && !model.startsWith(prefix)) return [];
    return [{ key, length: whole ? prefix.length - name.indexOf(':') - 1 : prefix.length, whole }];
  });
  const [best] = fitting.toSorted((a, b) => b.length - a.length || Number(b.whole) - Number(a.whole));
  return best === undefined ? undefined : table[best.key];
}
