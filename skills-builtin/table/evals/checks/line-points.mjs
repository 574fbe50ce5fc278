// Whether the line of a chart goes through these values, in this order, by the scale beside it:
// `line-points.mjs FILE 118.2,96,…`.
import { readFileSync } from 'node:fs';

const [file, list] = process.argv.slice(2);
const values = list.split(',').map(Number);
const picture = readFileSync(file, 'utf8');
const points = [...picture.matchAll(/<polyline points="([^"]*)"/gu)]
  .flatMap(([, text]) => text.trim().split(/\s+/u))
  .filter((point) => point !== '')
  .map((point) => point.split(',').map(Number));
const ticks = [...picture.matchAll(/<line [^>]*y1="([\d.]+)"[^>]*\/><text [^>]*>(-?[\d.]+)<\/text>/gu)].map(
  ([, y, value]) => ({ y: Number(y), value: Number(value) }),
);

function problem() {
  if (points.length !== values.length) return `has ${points.length} points, not ${values.length}`;
  if (points.some(([x], index) => index > 0 && !(x > points[index - 1][0]))) return 'does not go from left to right';
  const [first, last] = [ticks[0], ticks.at(-1)];
  if (first === undefined || first.value === last.value) return 'has no scale beside it';
  const place = (value) => first.y + ((value - first.value) / (last.value - first.value)) * (last.y - first.y);
  const off = values.findIndex((value, index) => !(Math.abs(place(value) - points[index][1]) <= 1));
  return off === -1 ? undefined : `does not stand at ${values[off]} where it should`;
}

const found = problem();
if (found !== undefined) {
  console.error(`The line of ${file} ${found}.`);
  process.exitCode = 1;
}
