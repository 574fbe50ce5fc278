import { SkillsError } from '../errors/skills-error.js';

/**
 * Whoever calls may write in a language without types.
 *
 * @throws `USAGE` for ports of a session without `sha256`.
 */
export function expectSha256(ports: unknown): void {
  const given = typeof ports === 'object' && ports !== null && 'sha256' in ports ? ports.sha256 : undefined;
  if (typeof given === 'function') return;
  throw new SkillsError('USAGE', 'The port sha256 of the session is missing or something else.', {
    hint: 'It is a function; @skillpack/runs-fs has one: createSkillSession(registry, { sha256 }).',
  });
}
