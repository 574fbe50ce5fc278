// What is needed together is loaded together.
export { readSkillPlaces } from '../settings/read-skill-places.js';
export { skillRoots } from '../settings/skill-roots.js';
