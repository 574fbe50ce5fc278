import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { readingFailure } from './open-document.js';

/** One page's measures, as a person sees it: after rotation, in points of 1/72 inch and in millimetres. */
export interface PageSize {
  readonly page: number;
  readonly width: number;
  readonly height: number;
  readonly widthMm: number;
  readonly heightMm: number;
  /** Clockwise, already part of width and height. */
  readonly rotation: number;
}

export async function readPages(
  document: PDFDocumentProxy,
  pages: readonly number[],
  name: string,
): Promise<readonly PageSize[]> {
  const sizes: PageSize[] = [];
  for (const number of pages) {
    try {
      const page = await document.getPage(number);
      const { width, height } = page.getViewport({ scale: 1 });
      sizes.push({
        page: number,
        width: round(width, 2),
        height: round(height, 2),
        widthMm: round((width / 72) * 25.4, 1),
        heightMm: round((height / 72) * 25.4, 1),
        rotation: page.rotate,
      });
    } catch (error) {
      throw readingFailure({ name: `Page ${number} of ${name}` }, error);
    }
  }
  return sizes;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
