import { SkillsError } from '../errors/skills-error.js';

/**
 * Whoever calls may write in a language without types.
 *
 * @throws `USAGE` for what is no `SkillRegistry`; of a `SkillBackend`, it says how to make one.
 */
export function expectRegistry(registry: unknown): void {
  const given: Readonly<Record<string, unknown>> =
    typeof registry === 'object' && registry !== null ? (registry as Readonly<Record<string, unknown>>) : {};
  const can = (method: string): boolean => typeof given[method] === 'function';
  if (can('index') && can('reload') && can('files') && can('bytes')) return;
  if (can('list') && can('bytes')) {
    throw new SkillsError('USAGE', 'What was handed in as a registry is a SkillBackend.', {
      hint: 'Make a registry of it: createSkillRegistry(backend, { sha256 }).',
    });
  }
  throw new SkillsError('USAGE', 'What was handed in as a registry of skills is none.', {
    hint: 'Make one with createSkillRegistry, of folderSkills, memorySkills or a backend of your own.',
  });
}
