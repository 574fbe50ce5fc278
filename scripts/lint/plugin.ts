import { noExportAll } from './no-export-all.ts';
import { noInstanceofSkillsError } from './no-instanceof-skills-error.ts';
import { noPresentTime } from './no-present-time.ts';

/** The lint rules that are this project's own; `.oxlintrc.json` says where each of them holds. */
export default {
  meta: { name: 'skillpack' },
  rules: {
    'no-export-all': noExportAll,
    'no-instanceof-skills-error': noInstanceofSkillsError,
    'no-present-time': noPresentTime,
  },
};
