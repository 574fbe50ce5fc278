import { Failure } from './failure.js';

/** Pages by number, the first being 1, both ends included; an open end reaches to the last page. */
export interface PageRange {
  readonly first: number;
  readonly last: number | undefined;
}

/** More pages than this are not handled in one run. */
const maxSelectedPages = 10_000;

const part = /^(?:(?<single>\d{1,9})|(?<first>\d{1,9})?-(?<last>\d{1,9})?)$/u;

/**
 * Reads `1-3,5,8-` and `-2`: single pages, ranges, and ranges open at either end, in the order given.
 *
 * @throws `USAGE`.
 */
export function parsePageSelection(text: string): readonly PageRange[] {
  return text.split(',').map((piece) => {
    const { single, first = single, last = single } = part.exec(piece.trim())?.groups ?? {};
    const from = Number(first ?? 1);
    const to = last === undefined ? undefined : Number(last);
    if ((first === undefined && last === undefined) || from < 1 || (to !== undefined && to < from)) {
      throw Failure.usage(`“${piece}” is no page or range of pages. Write for example 1-3,5,8-`);
    }
    return { first: from, last: to };
  });
}

/**
 * The page numbers that a selection names in a document of `count` pages, range by range.
 *
 * @throws `PAGE_OUT_OF_RANGE`, `TOO_MANY_PAGES`.
 */
export function selectPages(
  selection: readonly PageRange[] | undefined,
  document: { readonly name: string; readonly count: number },
): readonly (readonly number[])[] {
  const { name, count } = document;
  const ranges = (selection ?? [{ first: 1, last: undefined }]).map(({ first, last = count }) => {
    const wrong = first > count ? first : last > count ? last : undefined;
    if (wrong !== undefined) {
      const has = count === 1 ? 'has only one page' : `has ${count} pages`;
      throw new Failure('PAGE_OUT_OF_RANGE', `Page ${wrong} was asked for, but ${name} ${has}.`, `Use 1-${count}.`);
    }
    return { first, length: last - first + 1 };
  });
  const total = ranges.reduce((sum, { length }) => sum + length, 0);
  if (total > maxSelectedPages) {
    throw new Failure(
      'TOO_MANY_PAGES',
      `${total} pages of ${name} are selected; one run handles at most ${maxSelectedPages}.`,
      `Take a part of them: --pages 1-${maxSelectedPages}`,
    );
  }
  return ranges.map(({ first, length }) => Array.from({ length }, (_, index) => first + index));
}
