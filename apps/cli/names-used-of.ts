import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a schema stands for, as types alone. */
const types: ReadonlySet<string> = new Set(['infer', 'input', 'output']);

/** What the sources under `folders` call of a library that they import whole, as `name.…(` or `name.….…(`, or hand on; in order. Types are left out. */
export function namesUsedOf(name: string, folders: readonly string[]): readonly string[] {
  const use = new RegExp(String.raw`\b${name}\.([a-z_]\w*)(?=[(<,]|\.[a-z]\w*\()`, 'gu');
  const found = new Set<string>();
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!/(?<!\.test)\.ts$/u.test(entry.name) || !/[\\/]src(?:[\\/]|$)/u.test(entry.parentPath)) continue;
      if (entry.parentPath.includes('node_modules')) continue;
      const source = readFileSync(join(entry.parentPath, entry.name), 'utf8');
      if (!source.includes(`import * as ${name} from`)) continue;
      for (const [, used = ''] of source.matchAll(use)) if (!types.has(used)) found.add(used);
    }
  }
  return [...found].toSorted();
}
