// All that an install without packs needs first: one file is loaded faster than four.
export { recallInstall } from '@skillpack/cli-dist';
export { chooseRoot } from '../settings/choose-root.js';
export { chooseSeals } from '../settings/choose-seals.js';
export { findPlaces } from '../settings/places.js';
