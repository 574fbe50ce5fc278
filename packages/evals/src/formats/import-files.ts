import { quoted, SkillsError } from '@skillpack/core';
import type { EvalFile } from '../case/eval-case.js';
import type { ForeignValue } from './foreign-value.js';
import type { ImportContext } from './import-context.js';
import { safePath } from './safe-path.js';

const folders = /^(?:evals\/)?(?:files|fixtures)\//u;

/**
 * The files that a case names. They stand in its workspace by their paths below `evals/files/`, or as they are written.
 * One that cannot be read is noted.
 */
export async function importFiles(
  field: ForeignValue | undefined,
  context: ImportContext,
): Promise<readonly EvalFile[]> {
  const files = new Map<string, EvalFile>();
  for (const item of field?.items() ?? []) {
    const file = await importFile(item, context);
    if (file === undefined) continue;
    const short = file.path.replace(folders, '');
    const path = files.has(short) || short === '' ? file.path : short;
    files.set(path, { path, bytes: file.bytes });
  }
  return [...files.values()];
}

async function importFile(item: ForeignValue, context: ImportContext): Promise<EvalFile | undefined> {
  const inline = item.field('content', 'text');
  const written = typeof item.value === 'string' ? item : item.field('path', 'name', 'file');
  const path = typeof written?.value === 'string' ? safePath(written.value) : undefined;
  if (path === undefined || written === undefined) {
    context.notes.drop(
      item,
      'A file is named by a path that leads out of the skill, or by none: the case runs without it.',
    );
    return undefined;
  }
  if (typeof inline?.value === 'string') {
    written.take();
    return { path, bytes: new TextEncoder().encode(inline.text()) };
  }
  const bytes = await readForeignFile(path, context);
  if (typeof bytes === 'string') {
    context.notes.drop(written, `The file ${quoted(path, 120)} ${bytes}: the case runs without it.`);
    return undefined;
  }
  written.take();
  return { path, bytes };
}

/** The bytes of a file that a case names; a text says why there are none. @throws what is no matter of the path. */
export async function readForeignFile(path: string, { files }: ImportContext): Promise<Uint8Array | string> {
  if (files === undefined) return 'was not read, as nobody said where files are';
  // Written relative to the skill; whoever reads may stand in the skill, or in its folder of evals.
  const places = [...new Set([path, path.replace(/^evals\//u, '')])];
  let problem = 'is not there';
  for (const place of places) {
    try {
      return (await files.read(place)).bytes;
    } catch (cause) {
      if (SkillsError.is(cause, 'FILE_TOO_LARGE')) problem = 'is too large';
      else if (SkillsError.is(cause, 'PATH_TRAVERSAL_BLOCKED')) problem = 'leads out of the skill';
      else if (!SkillsError.is(cause, 'FILE_NOT_FOUND')) throw cause;
    }
  }
  return problem;
}
