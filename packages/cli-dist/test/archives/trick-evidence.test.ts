import { beforeAll, describe, expect, test } from 'vitest';
import { hostileNames, skillText, type HostileArchive } from './hostile-archive.js';
import { hostileTars } from './hostile-tars.js';
import { hostileZips } from './hostile-zips.js';
import { inspectArchives } from './inspect-archives.js';
import { tgz } from './tar-builder.js';
import { trickEvidence } from './trick-evidence.js';
import { zip } from './zip-builder.js';

type Facts = ReadonlySet<string>;

const honest = {
  tgz: [
    tgz({ name: 'pdf/SKILL.md', data: skillText }),
    tgz({ name: 'pdf/SKILL.md', data: skillText }, { name: 'pdf/file', data: 'evil evil evil' }),
  ],
  zip: [
    zip([{ name: 'pdf/SKILL.md', data: skillText }]),
    zip([
      { name: 'pdf/SKILL.md', data: skillText },
      { name: 'pdf/file', data: 'evil evil evil' },
    ]),
  ],
} as const;

/** Those whose trick is in their bytes, not in a smaller limit. */
const tricks = {
  tgz: hostileTars.filter(({ trick }) => trick !== 'an archive too large'),
  zip: hostileZips.filter(({ trick }) => trick !== 'an archive too large'),
} as const;

function evidenceOf({ trick }: HostileArchive, format: 'tgz' | 'zip'): readonly string[] | undefined {
  const named = hostileNames.find((one) => trick === `${format === 'tgz' ? 'a PAX name' : 'a name'}: ${one.trick}`);
  if (named === undefined) return trickEvidence[format][trick];
  if (format === 'tgz') return [`pax x: path=${named.name}`];
  return [`zip: record ${named.name}${named.name === 'pdf/SKILL.md' ? ' again' : ''}`];
}

function shows(facts: Facts | undefined, evidence: readonly string[]): boolean {
  return facts !== undefined && evidence.length > 0 && evidence.every((text) => facts.has(text));
}

describe.for(['tgz', 'zip'] as const)('PSA-32: each trick really is in its archive: %s', (format) => {
  let facts: Facts[] | undefined;
  let honestFacts: Facts[] | undefined;

  beforeAll(async () => {
    facts = await inspectArchives(tricks[format].map(({ bytes }) => bytes()));
    honestFacts = await inspectArchives(honest[format]);
  }, 120_000);

  test.for(tricks[format].map((archive, index) => [archive.trick, archive, index] as const))(
    '%s',
    ([, archive, index], context) => {
      context.skip(facts === undefined, 'no Python here');
      const evidence = evidenceOf(archive, format);
      expect(evidence, 'this trick names no evidence').toBeDefined();
      expect([...(facts?.[index] ?? [])]).toEqual(expect.arrayContaining([...(evidence ?? [])]));
      // Without the trick the same check has to fail, or it proves nothing.
      for (const without of honestFacts ?? []) expect(shows(without, evidence ?? [])).toBe(false);
    },
  );

  test('no evidence is left of a trick that is gone', () => {
    const known = tricks[format].map(({ trick }) => trick);
    expect(Object.keys(trickEvidence[format]).filter((trick) => !known.includes(trick))).toEqual([]);
  });
});
