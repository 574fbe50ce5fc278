import { element } from './element.js';

/** Rows of which only those that can be seen are in the page. */
export interface VirtualRows {
  /** What holds the rows, as high as all of them are. */
  readonly element: HTMLElement;
  /** Makes the rows anew: there are so many now. */
  reset(count: number): void;
  /** Brings a row into view. */
  reveal(index: number): void;
  /** The row, if it is in the page. */
  rowAt(index: number): HTMLElement | undefined;
}

/** What the rows are made of. */
export interface VirtualRowsOptions {
  /** What scrolls. */
  readonly viewport: HTMLElement;
  /** Pixels above the first row that are always covered. */
  readonly covered: () => number;
  readonly render: (index: number) => HTMLElement;
}

/** Rows beyond what can be seen, so that a small step finds them there. */
const beyond = 6;
/** A printer gets them all, up to this number. */
const printed = 2_000;

/** Rows of one height, which the style sheet says in `--row`. */
export function createVirtualRows({ viewport, covered, render }: VirtualRowsOptions): VirtualRows {
  const holder = element('div', { class: 'rows', role: 'presentation' });
  const shown = new Map<number, HTMLElement>();
  let count = 0;
  let height = 44;

  const draw = (first: number, last: number): void => {
    for (const [index, row] of shown) {
      if (index >= first && index < last) continue;
      row.remove();
      shown.delete(index);
    }
    // From the last one, so that each finds the row that it goes before.
    for (let index = last - 1; index >= first; index -= 1) {
      if (shown.has(index)) continue;
      const row = render(index);
      row.style.setProperty('top', `${index * height}px`);
      shown.set(index, row);
      const next = shown.get(index + 1);
      if (next === undefined) holder.append(row);
      else holder.insertBefore(row, next);
    }
  };
  const drawSeen = (): void => {
    const first = Math.max(0, Math.floor(viewport.scrollTop / height) - beyond);
    const last = Math.ceil((viewport.scrollTop + viewport.clientHeight) / height) + beyond;
    draw(Math.min(first, count), Math.min(count, last));
  };
  const measure = (): void => {
    height = Number.parseFloat(getComputedStyle(holder).getPropertyValue('--row')) || 44;
    holder.style.setProperty('height', `${count * height}px`);
    for (const [index, row] of shown) row.style.setProperty('top', `${index * height}px`);
    drawSeen();
  };
  viewport.addEventListener('scroll', drawSeen, { passive: true });
  new ResizeObserver(measure).observe(viewport);
  addEventListener('beforeprint', () => draw(0, Math.min(count, printed)));
  addEventListener('afterprint', drawSeen);

  return {
    element: holder,
    reset(next) {
      for (const row of shown.values()) row.remove();
      shown.clear();
      count = next;
      measure();
    },
    reveal(index) {
      const top = index * height;
      const room = viewport.clientHeight - covered();
      if (top < viewport.scrollTop) viewport.scrollTop = top;
      else if (top + height > viewport.scrollTop + room) viewport.scrollTop = top + height - room;
      drawSeen();
    },
    rowAt: (index) => shown.get(index),
  };
}
