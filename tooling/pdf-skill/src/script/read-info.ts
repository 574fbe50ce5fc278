import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { cleanLine } from './clean-text.js';
import type { InputFile } from './open-document.js';

/** A field of a form that people fill in. */
export interface FormField {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  /** The page it first stands on, from 1, if it stands on one. */
  readonly page: number | null;
}

/** What a document says about itself. Absent values are null. */
export interface DocumentInfo {
  readonly file: string;
  readonly bytes: number;
  readonly pages: number;
  readonly version: string | null;
  readonly title: string | null;
  readonly author: string | null;
  readonly subject: string | null;
  readonly keywords: string | null;
  readonly creator: string | null;
  readonly producer: string | null;
  /** ISO 8601 where the document states a date, else its own words. */
  readonly created: string | null;
  readonly modified: string | null;
  readonly language: string | null;
  readonly encrypted: boolean;
  readonly linearized: boolean;
  readonly signed: boolean;
  readonly formFields: readonly FormField[];
  /** Titles, nested ones under their parent by two spaces. */
  readonly bookmarks: readonly string[];
  readonly attachments: readonly string[];
}

const maxListed = 1000;

export async function readInfo(document: PDFDocumentProxy, file: InputFile): Promise<DocumentInfo> {
  const info = new Map<string, unknown>(Object.entries((await document.getMetadata()).info));
  const text = (key: string): string | null => {
    const value = info.get(key);
    return typeof value === 'string' && cleanLine(value) !== '' ? cleanLine(value).slice(0, 2000) : null;
  };
  return {
    file: file.name,
    bytes: file.bytes.length,
    pages: document.numPages,
    version: text('PDFFormatVersion'),
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    creator: text('Creator'),
    producer: text('Producer'),
    created: isoDate(text('CreationDate')),
    modified: isoDate(text('ModDate')),
    language: text('Language'),
    encrypted: text('EncryptFilterName') !== null,
    linearized: info.get('IsLinearized') === true,
    signed: info.get('IsSignaturesPresent') === true,
    formFields: await readFormFields(document),
    bookmarks: await readBookmarks(document),
    attachments: await readAttachments(document),
  };
}

/** `D:20260102030405+01'00'` of ISO 32000 as `2026-01-02T03:04:05+01:00`. */
function isoDate(text: string | null): string | null {
  const parts =
    /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-])(\d\d)'?(\d\d)?'?)?/u.exec(text ?? '') ?? undefined;
  if (parts === undefined) return text;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', z, sign, zoneHour, zoneMinute] =
    parts;
  const zone = sign === undefined || zoneHour === undefined ? (z ?? '') : `${sign}${zoneHour}:${zoneMinute ?? '00'}`;
  return `${year}-${month}-${day}T${hour}:${minute}:${second}${zone === '+00:00' ? 'Z' : zone}`;
}

interface RawField {
  readonly type?: unknown;
  readonly value?: unknown;
  readonly page?: unknown;
}

async function readFormFields(document: PDFDocumentProxy): Promise<readonly FormField[]> {
  const fields = (await document.getFieldObjects()) as
    | ReadonlyMap<string, RawField[]>
    | Record<string, RawField[]>
    | null;
  const entries = fields instanceof Map ? [...fields.entries()] : Object.entries(fields ?? {});
  return entries.slice(0, maxListed).flatMap(([name, objects]: [string, readonly RawField[]]) => {
    const field = objects.find(({ type }) => typeof type === 'string' && type !== '');
    if (field === undefined) return [];
    const { type, value, page } = field;
    return [
      {
        name: cleanLine(name),
        type: String(type),
        value: (Array.isArray(value) ? value : [value ?? '']).map((item) => cleanLine(String(item))).join(', '),
        page: typeof page === 'number' && page >= 0 ? page + 1 : null,
      },
    ];
  });
}

interface OutlineNode {
  readonly title: string;
  readonly items: readonly OutlineNode[];
}

async function readBookmarks(document: PDFDocumentProxy): Promise<readonly string[]> {
  const titles: string[] = [];
  const visit = (nodes: readonly OutlineNode[], depth: number): void => {
    for (const node of nodes) {
      if (titles.length >= maxListed || depth > 32) return;
      titles.push('  '.repeat(depth) + cleanLine(node.title));
      visit(node.items, depth + 1);
    }
  };
  visit((await document.getOutline()) ?? [], 0);
  return titles;
}

async function readAttachments(document: PDFDocumentProxy): Promise<readonly string[]> {
  const attachments = (await document.getAttachments()) as unknown;
  const names = attachments instanceof Map ? [...attachments.keys()] : Object.keys(attachments ?? {});
  return names.slice(0, maxListed).map((name) => cleanLine(String(name)));
}
