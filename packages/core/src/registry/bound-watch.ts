import type { SkillBackend } from './skill-backend.js';

/** What watches a backend, as a function that can be handed on: one of a class needs its `this`. */
export function boundWatch(backend: SkillBackend): SkillBackend['watch'] {
  return backend.watch?.bind(backend);
}
