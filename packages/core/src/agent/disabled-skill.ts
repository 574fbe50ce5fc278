import type { SkillReference } from '../registry/skill-entry.js';
import type { DisabledSkill, SkillView } from '../registry/skill-view.js';

/** What is switched off under a name, `pdf` or `org/pdf`; `undefined` where it is not. */
export function disabledSkill(
  view: Pick<SkillView, 'disabled' | 'isDisabled'>,
  reference: string | SkillReference,
): DisabledSkill | undefined {
  const name = (typeof reference === 'string' ? reference : reference.name).normalize('NFC');
  if (!view.isDisabled(name)) return undefined;
  const named = view.disabled().map((off) => ({ off, key: off.name.normalize('NFC') }));
  return (named.find(({ key }) => key === name) ?? named.find(({ key }) => name.endsWith(`/${key}`)))?.off;
}
