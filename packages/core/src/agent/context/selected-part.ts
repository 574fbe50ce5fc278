import type { SkillSelection } from '../../registry/skill-excerpt.js';

/** The part of a file that a model asks for. Where an answer was cut, a later one goes on by lines, whatever section it began in. */
export function selectedPart({
  section,
  fromLine,
}: {
  readonly section?: string | undefined;
  readonly fromLine?: number | undefined;
}): SkillSelection {
  if (fromLine !== undefined) return { kind: 'lines', start: fromLine };
  return section === undefined ? { kind: 'all' } : { kind: 'section', heading: section };
}
