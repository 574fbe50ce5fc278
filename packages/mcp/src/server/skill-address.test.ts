import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fileAddress, foldersAbove, protocolName, SkillAddresses } from './skill-address.js';

const skill = (name: string, own: string = name.slice(name.lastIndexOf('/') + 1)) => ({
  name,
  // No more of it is read.
  head: { name: own } as never,
});

test.each([
  ['pdf', undefined, 'skill://pdf'],
  ['acme/pdf', undefined, 'skill://acme/pdf'],
  ['acme-pdf', 'pdf', 'skill://acme-pdf/pdf'],
  ['caf\u00E9', undefined, 'skill://cafe'],
  ['acme/caf\u00E9', undefined, 'skill://acme/cafe'],
  ['PDF Tools', undefined, 'skill://pdf-tools'],
  ['\u65E5\u672C', undefined, 'skill://skill'],
  ['a/../b', undefined, 'skill://a/__/b'],
  ['a b/pdf', undefined, 'skill://a%20b/pdf'],
] as const)(
  'the skill %s that calls itself %s is at an address that ends with a name the protocol allows',
  (name, own, root) => {
    expect(new SkillAddresses().add(skill(name, own))).toBe(root);
  },
);

test('no two skills have one address, and none lies in the folder of another', () => {
  const name = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', '/', '-', '.', ' ', '\u00E4', '%', '?', '#'),
    minLength: 1,
    maxLength: 8,
  });
  fc.assert(
    fc.property(fc.array(name, { maxLength: 12 }), (names) => {
      const addresses = new SkillAddresses();
      const roots = names.map((one) => addresses.add(skill(one)));
      for (const [at, root] of roots.entries()) {
        expect(new URL(`${root}/SKILL.md`).href).toBe(`${root}/SKILL.md`);
        expect(decodeURIComponent(root.slice(root.lastIndexOf('/') + 1))).toBe(protocolName(skill(names[at] ?? '')));
        expect(roots.filter((other) => other === root || foldersAbove(other).includes(root))).toEqual([root]);
      }
    }),
  );
});

test('the address of a file is one that no reader of addresses changes', () => {
  const path = fc.array(
    fc.string({ unit: 'grapheme', minLength: 1 }).filter((one) => !/[/\0]|^\.{1,2}$/u.test(one)),
    { minLength: 1 },
  );
  fc.assert(
    fc.property(path, (segments) => {
      const address = fileAddress('skill://pdf', segments.join('/'));
      expect(new URL(address).href).toBe(address);
      expect(foldersAbove(address)).toContain('skill://pdf');
    }),
  );
});
