import { visibleLines, visibleText } from '../../errors/visible-text.js';
import type { RunEvent } from '../run-event.js';
import { summariseRun } from './summarise-run.js';

/**
 * `final.md`: each request and its answer, as a person reads them. What they say stands as it is, cleaned; where an
 * answer is missing, or not all of one, a line says so.
 */
export function renderFinal(events: readonly RunEvent[]): string {
  const { id, requests } = summariseRun(events);
  const parts = requests.map(({ text, skill, answer }) => {
    const command = skill === undefined ? '' : `/${visibleText(skill)} `;
    const quotedRequest = `> ${command}${visibleLines(text).trim().replaceAll('\n', '\n> ')}`;
    if (answer === undefined) return `${quotedRequest}\n\n*There is no answer yet.*`;
    const note = answer.degraded ? `*Not complete: the run stopped with ${answer.stop}.*\n\n` : '';
    return `${quotedRequest}\n\n${note}${visibleLines(answer.text).trim()}`;
  });
  return `${[`# Run ${visibleText(id)}`, ...parts].join('\n\n')}\n`;
}
