// Whether the pages of a PDF file are turned like that: `rotation.mjs FILE 0,90,0`.
import { readPages } from './read-pages.mjs';

const [file, wanted] = process.argv.slice(2);
const turned = (await readPages('pages', file)).map(({ rotation }) => rotation).join(',');
if (turned !== wanted) {
  console.error(`The pages of ${file} are turned by ${turned}, not by ${wanted}.`);
  process.exitCode = 1;
}
