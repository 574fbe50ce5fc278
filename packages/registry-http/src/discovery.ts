export {
  discoveredSkills,
  type DiscoveredSkillsOptions,
  type DiscoveredSkillsPorts,
} from './discovery/discovered-skills.js';
