import type { CaseStrip } from './case-strip.js';
import type { Drawer } from './drawer.js';
import type { FilterBar } from './filter-bar.js';
import type { Store } from './state.js';

/** Keys that hold everywhere, but for where somebody writes. */
export function listenToKeys(store: Store, parts: { strip: CaseStrip; drawer: Drawer; filter: FilterBar }): void {
  const { strip, drawer, filter } = parts;
  const moves: Readonly<Record<string, number>> = { j: 1, k: -1 };
  addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const { target, key } = event;
    const open = store.state.open !== undefined;
    if (target instanceof HTMLInputElement && key === 'Escape') {
      target.blur();
      strip.focus();
      return;
    }
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) return;
    const by = moves[key];
    if (by !== undefined && open) drawer.moveCase(by);
    else if (by !== undefined) {
      strip.focus();
      strip.move(by, 0);
    } else if (open && (key === 'ArrowRight' || key === 'ArrowLeft')) drawer.moveTrial(key === 'ArrowRight' ? 1 : -1);
    else if (!open && key === '/') filter.focus();
    else return;
    event.preventDefault();
  });
}
