/** A place where a body points to a file of its skill. */
export interface FileReference {
  /** Relative to the skill's folder, as written, without fragment. */
  readonly path: string;
  /** `link`: a Markdown link. `mention`: a path in the text or in code. */
  readonly kind: 'link' | 'mention';
  /** From 1, in the body. */
  readonly line: number;
}

const longestPath = 512;
const mention = /(?:^|[\s`"'(=])(?<path>(?:scripts|references|assets)\/[\w./-]{1,200}\.\w{1,10})(?![\w/])/gu;
const definition = /^ {0,3}\[[^\]]{1,200}\]:[ \t]+(?<path>\S{1,512})/u;
const fence = /^ {0,3}(?:`{3,}|~{3,})/u;

/** Every file a body points to, by links outside code, and by paths into the usual folders anywhere. */
export function findFileReferences(body: string): readonly FileReference[] {
  const references: FileReference[] = [];
  let code = false;
  for (const [index, text] of body.split('\n').entries()) {
    const line = index + 1;
    if (text === '') continue;
    if (fence.test(text)) code = !code;
    const links = code ? [] : linksOf(text);
    for (const path of links) references.push({ path, kind: 'link', line });
    const mentions = new Set([...text.matchAll(mention)].map(({ groups }) => groups?.['path'] ?? ''));
    for (const path of mentions) if (!links.includes(path)) references.push({ path, kind: 'mention', line });
  }
  return references;
}

function linksOf(line: string): readonly string[] {
  const targets: string[] = [];
  const defined = definition.exec(line)?.groups?.['path'];
  if (defined !== undefined) targets.push(defined);
  for (let at = line.indexOf(']('); at !== -1; at = line.indexOf('](', at + 2)) {
    const end = line.slice(at + 2, at + 2 + longestPath).search(/[)\s]/u);
    if (end > 0) targets.push(line.slice(at + 2, at + 2 + end));
  }
  return targets.map(pathOf).filter((path) => path !== undefined);
}

/** The file a link target means; `undefined` for URLs, fragments, absolute paths and placeholders. */
function pathOf(target: string): string | undefined {
  const bare = target
    .replace(/^</u, '')
    .replace(/>$/u, '')
    .replace(/[?#].*$/u, '');
  if (bare === '' || /^(?:[A-Za-z][A-Za-z0-9+.-]*:|\/|~)/u.test(bare) || /[{}<>$*]/u.test(bare)) return undefined;
  return decode(bare).replace(/^(?:\.\/)+/u, '');
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
