export { serveSkills } from '../skills/serve-skills.js';
