import { sha256 } from '@skillpack/cli-dist';
import { createMemoryJournal, createSkillRegistry, replayRun, runAgent, type SkillRegistry } from '@skillpack/core';
import { createMemoryRegistry, fakeClock, makePack } from '@skillpack/core/testing';
import { scripted } from '@skillpack/model-adapters';
import { remoteSkills } from '@skillpack/registry-http';
import { expect, test } from 'vitest';
import { archivePorts, packPorts } from '../registry/ports.js';

const skills = {
  tides: {
    'SKILL.md': '---\nname: tides\ndescription: What tides does.\n---\n\nTIDES-BODY: the almanac is in references.\n',
    'references/almanac.md': '# Almanac\n\n## June\n\nALMANAC-JUNE: low at noon.\n\n## July\n\nALMANAC-JULY\n',
  },
  keeper: {
    'SKILL.md':
      '---\nname: keeper\ndescription: What keeper does.\ndisable-model-invocation: true\n---\n\nKEEPER-BODY: for the lighthouse keeper.\n',
  },
};

async function offered(options: { readonly searchBodies?: boolean } = {}): Promise<SkillRegistry> {
  const packs = createMemoryRegistry({ ...archivePorts, sha256 });
  await packs.publish(makePack({ name: 'org/coast', version: '1.0.0', skills }, packPorts));
  const backend = remoteSkills(packs, { ...archivePorts, sha256 }, { from: { kind: 'packs', specs: ['org/coast'] } });
  return createSkillRegistry(backend, { sha256 }, options);
}

test('an agent uses a skill of a pack that is not installed; one whose text, unlike its manifest, forbids models stays closed', async () => {
  const almanac = { kind: 'load_resource', relative_path: 'references/almanac.md', section_hint: 'June' } as const;
  const model = scripted([
    { action: { kind: 'select_skills', skills: [{ name: 'keeper' }], reason: 'Perhaps.' } },
    { action: { kind: 'select_skills', skills: [{ name: 'org/tides' }], reason: 'It fits.' } },
    { action: { ...almanac, skill: { name: 'tides' } } },
    { action: { kind: 'final_answer', content: 'Low at noon.' } },
  ]);
  const journal = createMemoryJournal(sha256);
  const registry = await offered();
  const ports = { registry, model, journal, clock: fakeClock(), sha256 };
  const { state } = await runAgent('When is low tide in June?', ports, { id: 'run' });
  expect(state.audit.map(({ ok, error }) => [ok, error?.code])).toEqual([
    [false, 'TOOL_NOT_ALLOWED'],
    [true, undefined],
    [true, undefined],
    [true, undefined],
  ]);
  expect(state.activations).toMatchObject([{ name: 'tides', pack: 'org/coast' }]);
  const requests = model.requests.map((request) => JSON.stringify(request));
  expect(requests.map((request) => request.includes('TIDES-BODY'))).toEqual([false, false, true, true]);
  expect(requests.map((request) => request.includes('ALMANAC-JUNE'))).toEqual([false, false, false, true]);
  for (const request of requests) expect(request).not.toMatch(/KEEPER-BODY|ALMANAC-JULY/u);
  const catalogues = model.requests.map(({ system }) => system);
  expect(catalogues.map((system) => system.includes('What keeper does.'))).toEqual([true, false, false, false]);
  expect(catalogues.every((system) => system.includes('What tides does.'))).toBe(true);
  const record = {
    events: journal.events,
    kept: async (digest: (typeof journal.events)[0]['hash']) => journal.kept.get(digest),
  };
  expect(await replayRun(record, { sha256 })).toMatchObject({ same: true });
});

test('texts of a remote index are searched only where that is asked for, and are in no answer', async () => {
  expect(await (await offered()).search('almanac')).toEqual([]);
  const found = await (await offered({ searchBodies: true })).search('almanac');
  expect(found.map(({ entry }) => entry.name)).toEqual(['tides']);
  expect(JSON.stringify(found)).not.toContain('TIDES-BODY');
});
