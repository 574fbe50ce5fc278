/*
 * The page of a report. What it shows stands in the file as data; texts from outside become text nodes and nothing else.
 */
import { renderBanner } from './banner.js';
import { createCaseStrip } from './case-strip.js';
import { renderComparison } from './comparison.js';
import { renderConfusion } from './confusion.js';
import { readContent } from './content.js';
import { counted } from './counted.js';
import { createDrawer } from './drawer.js';
import { button, element, outside, section } from './element.js';
import { createFilterBar } from './filter-bar.js';
import { listenToKeys } from './keys.js';
import { renderRanking } from './ranking.js';
import { createStore } from './state.js';
import { createThemeSwitch } from './theme.js';
import { renderTiles } from './tiles.js';

/** Beyond it the first screen would be a list of names; all of them are in the tooltip of the heading. */
const longestTitle = 120;

function shortTitle(title: string): string {
  const characters = Array.from(title.slice(0, 4 * longestTitle));
  return characters.length <= longestTitle ? title : `${characters.slice(0, longestTitle).join('')}…`;
}

const content = readContent();
const { report, cut } = content.data;
const store = createStore();
const strip = createCaseStrip(content, store);
const filter = createFilterBar(content, store);
const drawer = createDrawer(content, store, strip);

const sections = [
  ...renderTiles(report),
  renderComparison(content, store),
  renderConfusion(content, store),
  section('cases', 'Cases and trials', [
    filter.element,
    strip.element,
    element('p', { class: 'note', id: 'keys' }, [
      'Keys: ',
      ...[
        ['j k', 'case'],
        ['← →', 'trial'],
        ['Enter', 'open'],
        ['Escape', 'close'],
        ['/', 'find'],
      ].flatMap(([key = '', does = '']) => [element('kbd', {}, key), ` ${does}  `]),
    ]),
    cut === 0
      ? undefined
      : element(
          'p',
          { class: 'note' },
          `Of ${counted(cut, 'result')} the transcripts are left out, so that this page stays small.`,
        ),
  ]),
  renderRanking(content),
].filter((part) => part !== undefined);

document.body.append(
  // No link: the address says what is shown.
  button('To the cases', { class: 'skip' }, () => strip.focus()),
  element('header', { class: 'top' }, [
    element('div', {}, [
      element('h1', { title: report.title }, [outside(shortTitle(report.title))]),
      element('p', { class: 'about' }, [
        report.at === undefined ? 'No result' : outside(report.at.replace(/\.\d+Z$/u, ' UTC').replace('T', ' ')),
        report.plan === undefined ? undefined : outside(` · plan ${report.plan.slice(7, 19)}`),
      ]),
    ]),
    element('nav', { 'aria-label': 'Parts of the report' }, [
      ...sections.map((part) =>
        button(part.querySelector('h2')?.textContent ?? '', { class: 'quiet' }, () => {
          part.scrollIntoView();
          part.querySelector('h2')?.focus();
        }),
      ),
      createThemeSwitch(),
      button('Print', { class: 'quiet' }, () => print()),
    ]),
  ]),
  element('main', {}, [renderBanner(report), ...sections]),
  drawer.element,
);

filter.update(strip.shown);
store.onChange(() => filter.update(strip.shown));
listenToKeys(store, { strip, drawer, filter });
