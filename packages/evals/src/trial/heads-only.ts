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
  const text = new TextEncoder();
  const stubs = new Map(skills.map(({ location, head }) => [location, text.encode(stubOf(head))]));
  return createSkillRegistry(
    {
      kind,
      loadInstructions,
      promptTemplate,
      list: async () => ({ skills }),
      files: async ({ location }) => [{ path: 'SKILL.md', size: stubs.get(location)?.length ?? 0, executable: false }],
      bytes: async ({ name, location }, path) => {
        const stub = path === 'SKILL.md' ? stubs.get(location) : undefined;
        if (stub !== undefined) return stub;
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
function stubOf({ name, description = '' }: SkillEntry['head']): string {
  return `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n`;
}
