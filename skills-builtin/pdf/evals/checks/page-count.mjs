// Whether a PDF file has so many pages: `page-count.mjs FILE COUNT`.
import { readPages } from './read-pages.mjs';

const [file, count] = process.argv.slice(2);
const pages = await readPages('text', file);
if (pages.length !== Number(count)) {
  console.error(`${file} has ${pages.length} pages, not ${count}.`);
  process.exitCode = 1;
}
