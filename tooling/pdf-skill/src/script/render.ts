import type { DocumentInfo } from './read-info.js';
import type { JobResult } from './run-job.js';

/** A result as one JSON document. */
export function renderJson(result: JobResult): string {
  return `${JSON.stringify(jsonOf(result), undefined, 2)}\n`;
}

function jsonOf(result: JobResult): unknown {
  switch (result.kind) {
    case 'info':
      return result.info;
    case 'files':
      return {
        files: result.files.map(({ path, pages, bytes }) => ({ path, pages, bytes: bytes.length })),
        notes: result.notes,
      };
    default:
      return { file: result.file, pageCount: result.count, pages: result.pages };
  }
}

/** A result for people and agents. */
export function renderText(result: JobResult): string {
  switch (result.kind) {
    case 'text':
      return result.pages.map(({ page, text }) => `--- page ${page} of ${result.count} ---\n${text}\n`).join('\n');
    case 'info':
      return renderInfo(result.info);
    case 'pages':
      return [
        `${result.count} ${result.count === 1 ? 'page' : 'pages'}`,
        ...result.pages.map(
          ({ page, width, height, widthMm, heightMm, rotation }) =>
            `page ${page}: ${width} × ${height} pt (${widthMm} × ${heightMm} mm), rotation ${rotation}°`,
        ),
        '',
      ].join('\n');
    case 'files':
      return result.files
        .map(({ path, pages, bytes }) => `${path}: ${pages} ${pages === 1 ? 'page' : 'pages'}, ${bytes.length} bytes\n`)
        .join('');
  }
}

function renderInfo(info: DocumentInfo): string {
  const { formFields, bookmarks, attachments, ...plain } = info;
  const lines = Object.entries(plain).flatMap(([key, value]) =>
    value === null ? [] : [`${key}: ${typeof value === 'boolean' ? (value ? 'yes' : 'no') : value}`],
  );
  const list = (title: string, items: readonly string[]) =>
    items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `  ${item}`)];
  return [
    ...lines,
    ...list(
      'formFields',
      formFields.map(
        ({ name, type, value, page }) => `${name} (${type}${page === null ? '' : `, page ${page}`}) = ${value}`,
      ),
    ),
    ...list('bookmarks', bookmarks),
    ...list('attachments', attachments),
    '',
  ].join('\n');
}

/** What the person should know beside the result, one line each. */
export function notesOn(result: JobResult): readonly string[] {
  if (result.kind === 'files') return result.notes;
  if (result.kind !== 'text') return [];
  const empty = result.pages.filter(({ text }) => text === '').map(({ page }) => page);
  if (empty.length === 0) return [];
  const listed = empty.slice(0, 20).join(', ') + (empty.length > 20 ? ', …' : '');
  return [`no text on page ${listed}: an image or a scan needs OCR, which this script does not do`];
}
