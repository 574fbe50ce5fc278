export { cassetteFile, type CassetteFileOptions } from './recorded/cassette-file.js';
