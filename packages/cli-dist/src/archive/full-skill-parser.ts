export { parseSkillHead } from '@skillpack/core';
