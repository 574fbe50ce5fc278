import { createSkillRegistry, SkillsError, type Sha256, type SkillEntry, type SkillRegistry } from '@skillpack/core';

/**
 * Skills without their texts: names and descriptions are as they are, and whatever else there is to read is an empty
 * text. No folder of theirs is told either, so that no tool finds a text there.
 */
export function headsOnly(
  entries: readonly SkillEntry[],
  { kind, loadInstructions, promptTemplate }: Pick<SkillRegistry, 'kind' | 'loadInstructions' | 'promptTemplate'>,
  ports: { readonly sha256: Sha256 },
): SkillRegistry {
  const skills = entries.map(headOf);
  return createSkillRegistry(
    {
      kind,
      loadInstructions,
      promptTemplate,
      list: async () => ({ skills }),
      files: async ({ head }) => [{ path: 'SKILL.md', size: stubOf(head).length, executable: false }],
      bytes: async ({ name, head }, path) => {
        if (path === 'SKILL.md') return stubOf(head);
        throw new SkillsError(
          'FILE_NOT_FOUND',
          `In a trial of the kind trigger, ${name} has no file but its SKILL.md.`,
        );
      },
    },
    ports,
  );
}

function headOf({ name, scope, pack, head }: SkillEntry): SkillEntry {
  const { description, modelInvocable } = head;
  return {
    name,
    scope,
    location: `/skills/${name}`,
    pack,
    packVersion: undefined,
    digest: undefined,
    head: {
      name: head.name,
      description,
      modelInvocable,
      userInvocable: false,
      license: undefined,
      compatibility: undefined,
      metadata: {},
      allowedTools: undefined,
      version: undefined,
      author: undefined,
      runMode: 'inline',
      frontMatter: {},
      bodyLine: 1,
    },
    diagnostics: [],
  };
}

/** A text in JSON quotes is one in YAML, too. */
function stubOf({ name, description = '' }: SkillEntry['head']): Uint8Array {
  const text = `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n`;
  return new TextEncoder().encode(text);
}
