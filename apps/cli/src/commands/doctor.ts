import { diagnoseRoot } from '@skillpack/cli-dist';
import { answer } from '../frame/answer.js';
import { defineCommand, rootOptions } from '../frame/command.js';
import { followWaiting } from '../render/follow-waiting.js';
import { withRefusedSkills } from '../skills/with-refused-skills.js';
import { renderDoctorReport } from '../render/render-doctor-report.js';

export const doctor = defineCommand({
  description:
    'Looks for what is wrong with a root: interrupted installs, broken records, drift. Exit code 1 when it finds any.',
  arguments: {},
  options: {
    repair: { kind: 'flag', description: 'mend what can be mended without losing anything' },
    ...rootOptions,
  },
  examples: [
    ['skills doctor', 'this project'],
    ['skills doctor --repair --scope user', 'your own skills, and mend them'],
  ],
  async run({ repair, scope, root }, app) {
    // Not all settings: a project file that cannot be read is among what is looked for.
    const places = await app.skillPlaces();
    const found = await diagnoseRoot({ root: await app.root({ scope, root }, places) }, await app.doctorPorts(places), {
      repair,
      signal: app.signal,
      onEvent: followWaiting(app.reporter),
    });
    const report = await withRefusedSkills(found, app.signal);
    // Whatever else is wrong with them ends other commands: it is not to be said then that nothing is wrong.
    if (report.ok && root === undefined && scope !== 'user') await app.settings();
    return answer(report, renderDoctorReport, { no: !report.ok });
  },
});
