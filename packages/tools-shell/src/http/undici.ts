// A bundler that makes a chunk of its own of a dynamically imported CommonJS package keeps only its default export; of
// this module it keeps the names.
export { Client } from 'undici';
