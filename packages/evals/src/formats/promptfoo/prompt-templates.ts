import { parseJson } from '@skillpack/core';
import { isObject, type ForeignValue } from '../foreign-value.js';
import type { ImportContext } from '../import-context.js';
import { readForeignFile } from '../import-files.js';
import { safePath } from '../safe-path.js';

/** A prompt: what the person says, line after line, with variables in it. */
export interface PromptTemplate {
  readonly lines: readonly string[];
  readonly at: ForeignValue;
}

/** The prompts of a configuration; those that stand in files of text are read, all other files noted. */
export async function promptTemplates(
  prompts: ForeignValue | undefined,
  context: ImportContext,
): Promise<readonly PromptTemplate[]> {
  const templates: PromptTemplate[] = [];
  for (const item of prompts?.list === true ? prompts.items() : prompts === undefined ? [] : [prompts]) {
    const written = typeof item.value === 'string' ? item : item.field('raw', 'prompt', 'label');
    if (typeof written?.value !== 'string') {
      context.notes.drop(item, 'A prompt that is no text is not read.');
      continue;
    }
    templates.push(...(await templatesOf(written, written.value, context)));
  }
  return templates;
}

async function templatesOf(at: ForeignValue, text: string, context: ImportContext): Promise<readonly PromptTemplate[]> {
  const named = /^(?:file:\/\/)?(?<path>[^\s{}]+\.(?<end>[A-Za-z0-9]+))$/u.exec(text.trim())?.groups;
  if (!text.startsWith('file://') && named === undefined) {
    at.take();
    return [{ lines: linesOf(at, text, context), at }];
  }
  const path = safePath(named?.['path'] ?? '');
  const isText = ['txt', 'md', 'j2', 'json'].includes(named?.['end']?.toLowerCase() ?? '');
  const bytes = path !== undefined && isText ? await readForeignFile(path, context) : 'is none that is read here';
  if (typeof bytes === 'string') {
    context.notes.drop(at, `The prompt in the file ${bytes}.`);
    return [];
  }
  at.take();
  const parts = new TextDecoder().decode(bytes).split(/\r?\n---\r?\n/u);
  return parts.filter((part) => part.trim() !== '').map((part) => ({ lines: linesOf(at, part.trim(), context), at }));
}

/** A prompt may be a conversation written as JSON: what the person says in it counts. */
function linesOf(at: ForeignValue, text: string, { notes }: ImportContext): readonly string[] {
  if (!text.trimStart().startsWith('[')) return [text];
  let messages: unknown;
  try {
    messages = parseJson(text);
  } catch {
    return [text];
  }
  if (
    !Array.isArray(messages) ||
    !messages.every((message) => isObject(message) && typeof message['content'] === 'string')
  )
    return [text];
  // Each was looked at above.
  const all = messages as readonly { readonly role?: unknown; readonly content: string }[];
  const said = all.filter(({ role }) => role === 'user').map(({ content }) => content);
  if (said.length === 0) return [text];
  if (said.length < all.length)
    notes.change(at, 'Of a prompt that is a conversation, only what the person says is taken over.');
  return said;
}
