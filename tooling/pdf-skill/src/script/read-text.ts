import type { PDFDocumentProxy, PDFPageProxy } from 'unpdf/pdfjs';
import { cleanText } from './clean-text.js';
import { layoutText, type PlacedText } from './layout-text.js';
import { readingFailure } from './open-document.js';

/** The text of one page. */
export interface PageText {
  readonly page: number;
  readonly text: string;
}

/** The text of the given pages, cleaned of what no reader could see. */
export async function readText(
  document: PDFDocumentProxy,
  pages: readonly number[],
  options: { readonly name: string; readonly layout: boolean },
): Promise<readonly PageText[]> {
  const texts: PageText[] = [];
  for (const number of pages) {
    try {
      const page = await document.getPage(number);
      texts.push({ page: number, text: tidy(await (options.layout ? placedText(page) : flowingText(page))) });
      page.cleanup();
    } catch (error) {
      throw readingFailure({ name: `Page ${number} of ${options.name}` }, error);
    }
  }
  return texts;
}

async function flowingText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}

async function placedText(page: PDFPageProxy): Promise<string> {
  const { items } = await page.getTextContent({ disableNormalization: false });
  const viewport = page.getViewport({ scale: 1 });
  const pieces: PlacedText[] = [];
  for (const item of items) {
    if (!('str' in item)) continue;
    const [, , , , e = 0, f = 0] = item.transform as readonly number[];
    const [x = 0, y = 0] = viewport.convertToViewportPoint(e, f) as readonly number[];
    pieces.push({ text: item.str, x, y, width: item.width, height: item.height });
  }
  return layoutText(pieces);
}

function tidy(text: string): string {
  return cleanText(text)
    .replaceAll(/[^\S\n]+\n/gu, '\n')
    .replaceAll(/\n{3,}/gu, '\n\n')
    .replaceAll(/^\n+|\s+$/gu, '');
}
