import type { Command } from './command.js';
import { type InputFile, openDocument, readingFailure } from './open-document.js';
import { selectPages } from './page-selection.js';
import { type DocumentInfo, readInfo } from './read-info.js';
import { type PageSize, readPages } from './read-pages.js';
import { type PageText, readText } from './read-text.js';
import { mergeDocuments, type OutputFile, rotatePages, splitGroups, takePages } from './write-documents.js';

/** What came of a command, before anything is printed or written. */
export type JobResult =
  | { readonly kind: 'text'; readonly file: string; readonly count: number; readonly pages: readonly PageText[] }
  | { readonly kind: 'info'; readonly info: DocumentInfo }
  | { readonly kind: 'pages'; readonly file: string; readonly count: number; readonly pages: readonly PageSize[] }
  | { readonly kind: 'files'; readonly files: readonly OutputFile[]; readonly notes: readonly string[] };

/**
 * Carries a command out on files that were read. Touches no disk. What a document does to the libraries that was not
 * foreseen, such as a structure too deep for them, is damage of the document.
 */
export async function runJob(command: Command, files: readonly InputFile[]): Promise<JobResult> {
  try {
    return await carryOut(command, files);
  } catch (error) {
    throw readingFailure({ name: files.map(({ name }) => name).join(', ') }, error);
  }
}

async function carryOut(command: Command, files: readonly InputFile[]): Promise<JobResult> {
  if (command.kind === 'merge') {
    const sources = files.map((file) => ({ file, password: command.password }));
    return { kind: 'files', ...(await mergeDocuments(sources, command.output)) };
  }
  const [file] = files;
  if (file === undefined) throw new Error('A command other than merge has one file.');
  const source = { file, password: command.password };
  switch (command.kind) {
    case 'text':
    case 'info':
    case 'pages':
      return readDocument(command, file);
    case 'split':
      return { kind: 'files', ...(await takePages(source, (count) => splitGroups(file.name, count, command))) };
    case 'extract': {
      const choose = (count: number) => [
        { path: command.output, pages: selectPages(command.pages, { name: file.name, count }).flat() },
      ];
      return { kind: 'files', ...(await takePages(source, choose)) };
    }
    case 'rotate':
      return { kind: 'files', ...(await rotatePages(source, command.output, command)) };
  }
}

async function readDocument(
  command: Extract<Command, { kind: 'text' | 'info' | 'pages' }>,
  file: InputFile,
): Promise<JobResult> {
  const document = await openDocument(file, command.password);
  if (command.kind === 'info') return { kind: 'info', info: await readInfo(document, file) };
  const count = document.numPages;
  const selected = selectPages(command.pages, { name: file.name, count }).flat();
  if (command.kind === 'pages') {
    return { kind: 'pages', file: file.name, count, pages: await readPages(document, selected, file.name) };
  }
  const { layout } = command;
  const pages = await readText(document, selected, { name: file.name, layout });
  return { kind: 'text', file: file.name, count, pages };
}
