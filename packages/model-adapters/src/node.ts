export { cassetteFile } from './recorded/cassette-file.js';
