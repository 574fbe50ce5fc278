// Whether the pages of a PDF file begin with these words: `first-words.mjs FILE 'One|Two'`.
import { readPages } from './read-pages.mjs';

const [file, wanted] = process.argv.slice(2);
const words = (wanted ?? '').split('|');
const pages = await readPages('text', file);
const wrong = words.findIndex((start, index) => !(pages[index]?.text ?? '').trimStart().startsWith(start));
if (wrong !== -1) {
  console.error(`Page ${wrong + 1} of ${file} begins with ${JSON.stringify(pages[wrong]?.text.slice(0, 60))}.`);
  process.exitCode = 1;
}
