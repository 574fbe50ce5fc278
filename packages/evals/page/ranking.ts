import { formatInterval, formatShare } from '../src/report/format-rate.js';
import { tellKeptAway } from '../src/report/tell-kept-away.js';
import type { RankComparison, RankedQuery, RankMove } from '../src/ranking/rank-report.js';
import type { PageContent } from './content.js';
import { renderReasons } from './banner.js';
import { counted } from './counted.js';
import { button, element, outside, section, type Child } from './element.js';
import { nameOfGate } from './outcomes.js';
import { tile, track } from './tiles.js';
import { createVirtualRows } from './virtual-rows.js';

const firstMoves = 12;

/** What a search without a model makes of the queries. */
export function renderRanking({ data: { ranks, rankComparison } }: PageContent): HTMLElement | undefined {
  if (ranks === undefined) return undefined;
  const beside = tellKeptAway(ranks);
  const rates = [
    ['Found first', ranks.first],
    ['Among the first 5', ranks.amongFive],
  ] as const;
  return section('ranking', 'Ranking without a model', [
    element(
      'p',
      { class: 'note' },
      'A search over names and descriptions, which costs nothing. It does not say what a model would choose: where it changes, ask one.',
    ),
    element(
      'div',
      { class: 'tiles' },
      rates.map(([label, rate]) =>
        tile({
          label,
          value: formatShare(rate.value),
          notes: [`${formatInterval(rate.interval)} ${rate.successes} of ${rate.total} queries`],
          more: rate.value === undefined ? [] : [track(rate.value, rate.interval)],
        }),
      ),
    ),
    beside === undefined ? undefined : element('p', { class: 'note' }, beside),
    ...(rankComparison === undefined ? [] : renderRankComparison(rankComparison)),
    ...renderQueries(ranks.queries),
  ]);
}

function renderRankComparison({ verdict, reasons, changed, thefts, moves }: RankComparison): readonly Child[] {
  return [
    element('h3', {}, ['Against the baseline ', element('span', { class: `gate ${verdict}` }, nameOfGate(verdict))]),
    ...renderReasons(reasons),
    changed.length === 0
      ? undefined
      : element('p', {}, [
          'Skills that are described otherwise, new or gone: ',
          ...changed.slice(0, 50).map((skill) => outside(skill, { class: 'tag' })),
        ]),
    ...thefts.slice(0, firstMoves).map(({ thief, victim, queries }) =>
      element('details', { class: 'theft' }, [
        element('summary', {}, [
          outside(thief, { class: 'tag' }),
          ` took ${queries.length} ${queries.length === 1 ? 'query' : 'queries'} from `,
          outside(victim, { class: 'tag' }),
        ]),
        element(
          'ul',
          { class: 'plain' },
          queries.slice(0, 200).map((query) => element('li', {}, [outside(query)])),
        ),
      ]),
    ),
    ...renderMoves(moves),
  ];
}

function renderMoves(moves: readonly RankMove[]): readonly HTMLElement[] {
  if (moves.length === 0) return [];
  const list = element('ul', { class: 'changes' }, moves.slice(0, firstMoves).map(renderMove));
  if (moves.length <= firstMoves) return [list];
  const more = button(`Show the other ${moves.length - firstMoves}`, { class: 'quiet' }, () => {
    list.append(...moves.slice(firstMoves).map(renderMove));
    more.remove();
  });
  return [list, more];
}

function renderMove({ query, before, after, rankBefore, rankAfter, lost, won }: RankMove): HTMLElement {
  return element('li', { class: lost ? 'worse' : won ? 'better' : '' }, [
    element('span', { class: 'arrow', 'aria-hidden': 'true' }, lost ? '▼' : won ? '▲' : '='),
    element('span', { class: 'number' }, `${rankBefore ?? '–'} → ${rankAfter ?? '–'}`),
    element('span', {}, [
      outside(query),
      element('span', { class: 'about' }, [
        'first was ',
        outside(before ?? 'nothing'),
        ', is ',
        outside(after ?? 'nothing'),
        lost ? ': lost' : won ? ': won' : '',
      ]),
    ]),
  ]);
}

/** Every query, those that are ranked worst first. */
function renderQueries(queries: readonly RankedQuery[]): readonly HTMLElement[] {
  if (queries.length === 0) return [];
  const sorted = queries.toSorted((one, other) => placeOf(other) - placeOf(one));
  const viewport = element('div', {
    class: 'queries',
    role: 'table',
    tabindex: 0,
    'aria-label': 'Queries, those ranked worst first',
    'aria-rowcount': sorted.length,
  });
  const rows = createVirtualRows({
    viewport,
    covered: () => 0,
    render: (index) => {
      const query = sorted[index];
      return element('div', { class: 'row', role: 'row', 'aria-rowindex': index + 1 }, [
        element(
          'span',
          { class: 'number', role: 'cell' },
          query?.wanted.length === 0 ? '–' : String(query?.rank ?? 'not found'),
        ),
        element('span', { class: 'query', role: 'cell' }, [
          outside(query?.query ?? '', { title: query?.query.slice(0, 500) }),
        ]),
        element('span', { class: 'about', role: 'cell' }, [
          outside(query?.wanted.length === 0 ? 'wants none' : `wants ${query?.wanted.join(' or ') ?? ''}`),
          '; ',
          outside(`finds ${query?.found.slice(0, 3).join(', ') ?? ''}`),
        ]),
      ]);
    },
  });
  viewport.append(rows.element);
  const details = element('details', {}, [
    element('summary', {}, `All ${counted(queries.length, 'query', 'queries')}, those ranked worst first`),
    viewport,
  ]);
  details.addEventListener('toggle', () => rows.reset(sorted.length), { once: true });
  return [details];
}

function placeOf({ wanted, rank }: RankedQuery): number {
  return wanted.length === 0 ? 0 : (rank ?? 1_000);
}
