export { openRunFolder } from '@skillpack/runs-fs';
export { runsFolder } from '../agent/runs-folder.js';
export { findPlaces } from '../settings/places.js';
