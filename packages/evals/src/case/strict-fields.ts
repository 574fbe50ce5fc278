import { quoted, suggestNames } from '@skillpack/core';
import * as z from 'zod/mini';

/**
 * An object with these fields and no others: a field with a slip in its name would count for nothing. What is wrong with
 * it names the field that may have been meant.
 */
export function strictFields<Fields extends z.core.$ZodLooseShape>(fields: Fields): z.ZodMiniObject<Fields> {
  const names = Object.keys(fields);
  // With no other fields than these, it gives what an object that drops others gives.
  return z.looseObject(fields).check((payload) => {
    for (const [name, input] of Object.entries(payload.value)) {
      if (Object.hasOwn(fields, name)) continue;
      payload.issues.push({ code: 'custom', path: [name], input, message: messageOf(name, names), continue: true });
    }
  });
}

const otherWords: Readonly<Record<string, string>> = { prompt: 'input', query: 'input', limits: 'constraints' };

function messageOf(name: string, names: readonly string[]): string {
  const known = Object.hasOwn(otherWords, name) ? otherWords[name] : undefined;
  const near = known !== undefined && names.includes(known) ? [known] : suggestNames(name, names);
  return `expected no field ${quoted(name, 60)} (there is ${near.join(', ')})`;
}
