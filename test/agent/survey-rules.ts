import type { ModelScript } from '@skillpack/model-adapters';

const skill = { name: 'field-survey' };

export const question = 'How many herons are in notes.txt, and is that rare?';
export const surveyAnswer = 'There are 3 herons. With fewer than 5 sightings, that is rare.';

/** Finds a skill by words, reads it, reads a section, runs a script, answers: from what it was shown alone. */
export const surveyRules: ModelScript = {
  rules: [
    {
      when: { saw: /tally of heron: (?<number>\d+)/u, observation: 'tally of heron' },
      reply: {
        action: {
          kind: 'final_answer',
          content: 'There are ${number} herons. With fewer than 5 sightings, that is rare.',
        },
      },
    },
    {
      when: { saw: 'RARITY-RULES: fewer than 5' },
      reply: {
        action: { kind: 'run_script', skill, relative_path: 'scripts/tally.mjs', args: ['notes.txt', 'heron'] },
        plan_update: { kind: 'patch', operations: [{ op: 'set_status', id: 'read', status: 'completed' }] },
      },
    },
    {
      when: { skillActive: 'field-survey', saw: /references\/(\w+)\.md/u },
      reply: { action: { kind: 'load_resource', skill, relative_path: 'references/$1.md', section_hint: 'Rarity' } },
    },
    {
      when: { saw: /the best match first[^\n]*\n- (?<best>[\w-]+) /u },
      reply: { action: { kind: 'select_skills', skills: [{ name: '${best}' }], reason: 'It counts birds.' } },
    },
    {
      when: { turn: 1 },
      reply: {
        action: { kind: 'search_skills', query: 'count sightings of birds in my field notes' },
        plan_update: {
          kind: 'replace',
          plan: {
            goal: 'The number of herons',
            steps: [{ id: 'read', title: 'Read how it is done', status: 'in_progress' }],
            assumptions: [],
            constraints: {},
          },
        },
      },
    },
  ],
};
