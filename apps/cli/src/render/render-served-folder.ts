import type { ServedFolder } from '../author/serve-folder.js';
import type { Style } from '../frame/style.js';
import { count } from './count.js';

/** Where a registry is served, for people. */
export function renderServedFolder(served: Omit<ServedFolder, 'until'>, style: Style): string {
  const { url, folder, packs, publishing } = served;
  return [
    `Serving ${folder} (${count(packs, 'pack')}) at ${style.bold(url)}`,
    publishing
      ? 'Whoever has the token may publish.'
      : 'Nobody may publish: no token was given (--token or SKILLS_TOKEN).',
    `Use it with SKILLS_REGISTRY=${url}; stop it with Ctrl-C.`,
  ].join('\n');
}
