export { serveSkillsOnStdio, type ServeOnStdioOptions } from './server/serve-skills-on-stdio.js';
