import type { DescribedPack } from '../author/describe-pack.js';
import type { Style } from '../frame/style.js';
import { formatBytes } from '../frame/progress-line.js';
import { columns } from './columns.js';
import { count } from './count.js';

/** What a pack is, for people. */
export function renderDescribedPack(pack: DescribedPack, style: Style): string {
  return `${style.bold(`${pack.name} ${pack.version}`)}\n${columns(
    [
      ['skills', pack.skills.join(', ')],
      ['content', `${count(pack.files, 'file')}, ${pack.treeDigest}`],
      ['archive', `${pack.format}, ${formatBytes(pack.size)}, ${pack.digest}`],
    ],
    '  ',
  )}`;
}
