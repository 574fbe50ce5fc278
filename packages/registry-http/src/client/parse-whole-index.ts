import { parsePackDocument, SkillsError, type PackDocument, type PackName } from '@skillpack/core';

/**
 * Reads an index document that came over the network. One that was cut off at the end of a line, in an answer that
 * states no length, would look like an older state of the pack: it is found by the tags, which name what is missing.
 *
 * @throws `INVALID_INDEX`, `UNSUPPORTED_FORMAT`.
 */
export function parseWholeIndex(ndjson: string, name: PackName): PackDocument {
  const document = parsePackDocument(ndjson, name);
  const listed = new Set(document.versions.map(({ version }) => version));
  const missing = Object.entries(document.head.tags).find(([, version]) => !listed.has(version));
  if (missing === undefined) return document;
  const [tag, version] = missing;
  throw new SkillsError(
    'INVALID_INDEX',
    `The index document of ${name} tags ${version} as ${tag} and does not list it.`,
    {
      hint: 'It may have been cut off on its way: try again. Else whoever runs the registry has to repair it.',
      data: { name, tag, version },
    },
  );
}
