// Most of the settings are paths, and few of them are roots of skills.
export { expandHome } from '@skillpack/registry-fs';
