import { basename, join } from 'node:path';
import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import { copyPages, losses } from './copy-pages.js';
import { type LoadedDocument, loadForWriting } from './load-for-writing.js';
import { type InputFile, openDocument } from './open-document.js';
import { type PageRange, selectPages } from './page-selection.js';

/** A file to be written, and the pages of the source that it has. */
export interface OutputFile {
  readonly path: string;
  readonly pages: number;
  readonly bytes: Uint8Array;
}

/** Files to write, and what the person should know about them. */
export interface Written {
  readonly files: readonly OutputFile[];
  readonly notes: readonly string[];
}

interface Source {
  readonly file: InputFile;
  readonly password: string | undefined;
}

export async function mergeDocuments(sources: readonly Source[], output: string): Promise<Written> {
  const target = await PDFDocument.create({ updateMetadata: false });
  const notes: string[] = [];
  let pages = 0;
  for (const { file, password } of sources) {
    const loaded = await loadForWriting(file, password);
    notes.push(...notesOn(loaded, file.name));
    const [all = []] = selectPages(undefined, { name: file.name, count: loaded.document.getPageCount() });
    copyPages(loaded.document, target, all);
    pages += all.length;
  }
  return { files: [await finish(target, output, pages)], notes };
}

/** Takes each group of pages into a file of its own. */
export async function takePages(
  { file, password }: Source,
  choose: (count: number) => readonly { readonly path: string; readonly pages: readonly number[] }[],
): Promise<Written> {
  const loaded = await loadForWriting(file, password);
  const notes = notesOn(loaded, file.name);
  const files: OutputFile[] = [];
  for (const { path, pages } of choose(loaded.document.getPageCount())) {
    const target = await PDFDocument.create({ updateMetadata: false });
    copyDescription(loaded.document, target);
    copyPages(loaded.document, target, pages);
    files.push(await finish(target, path, pages.length));
  }
  return { files, notes };
}

export async function rotatePages(
  { file, password }: Source,
  output: string,
  { degrees: turn, pages }: { readonly degrees: number; readonly pages: readonly PageRange[] | undefined },
): Promise<Written> {
  const loaded = await loadForWriting(file, password);
  const all = loaded.document.getPages();
  const selected = new Set(selectPages(pages, { name: file.name, count: all.length }).flat());
  for (const [index, page] of all.entries()) {
    if (selected.has(index + 1)) page.setRotation(degrees((((page.getRotation().angle + turn) % 360) + 360) % 360));
  }
  const notes = loaded.wasEncrypted ? [notEncrypted(file.name)] : [];
  return { files: [await finish(loaded.document, output, all.length)], notes };
}

/** File names for a split: `report-02.pdf`, `report-04-06.pdf`, numbers as wide as the last page's. */
function splitNames(
  input: string,
  count: number,
  groups: readonly (readonly number[])[],
): readonly { readonly name: string; readonly pages: readonly number[] }[] {
  const stem = basename(input).replace(/\.pdf$/iu, '');
  const width = String(count).length;
  const taken = new Map<string, number>();
  return groups.map((pages) => {
    const ends = [pages[0], pages.length > 1 ? pages.at(-1) : undefined].filter((end) => end !== undefined);
    const plain = [stem, ...ends.map((end) => String(end).padStart(width, '0'))].join('-');
    const before = taken.get(plain) ?? 0;
    taken.set(plain, before + 1);
    return { name: `${plain}${before === 0 ? '' : ` (${before + 1})`}.pdf`, pages };
  });
}

/** Groups of pages for a split, into the folder given. */
export function splitGroups(
  input: string,
  count: number,
  split: { readonly pages: readonly PageRange[] | undefined; readonly every: number; readonly directory: string },
): readonly { readonly path: string; readonly pages: readonly number[] }[] {
  const groups = selectPages(split.pages, { name: input, count });
  const chunks = split.pages === undefined ? chunk(groups.flat(), split.every) : groups;
  return splitNames(input, count, chunks).map(({ name, pages }) => ({ path: join(split.directory, name), pages }));
}

function chunk(numbers: readonly number[], size: number): readonly (readonly number[])[] {
  return Array.from({ length: Math.ceil(numbers.length / size) }, (_, index) =>
    numbers.slice(index * size, (index + 1) * size),
  );
}

/** Writes a document out and reads it again, so that a file that no reader could open never reaches the disk. */
async function finish(target: PDFDocument, path: string, pages: number): Promise<OutputFile> {
  const bytes = await target.save({ addDefaultPage: false, updateFieldAppearances: false });
  const check = await openDocument({ name: path, bytes }, undefined);
  if (check.numPages !== pages) throw new Error(`${path} has ${check.numPages} pages in place of ${pages}.`);
  await check.loadingTask.destroy();
  return { path, pages, bytes };
}

function copyDescription(source: PDFDocument, target: PDFDocument): void {
  const title = source.getTitle();
  const author = source.getAuthor();
  const subject = source.getSubject();
  const keywords = source.getKeywords();
  if (title !== undefined) target.setTitle(title);
  if (author !== undefined) target.setAuthor(author);
  if (subject !== undefined) target.setSubject(subject);
  if (keywords !== undefined) target.setKeywords([keywords]);
}

function notesOn({ document, wasEncrypted }: LoadedDocument, name: string): readonly string[] {
  const lost = losses(document);
  return [
    ...(lost.length === 0 ? [] : [`not carried over from ${name}: ${lost.join(', ')}`]),
    ...(wasEncrypted ? [notEncrypted(name)] : []),
  ];
}

function notEncrypted(name: string): string {
  return `${name} is encrypted, what was written from it is not`;
}
