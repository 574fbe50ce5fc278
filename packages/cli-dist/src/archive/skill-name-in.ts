/** The name that the front matter of a SKILL.md states, if it can be read. */
export function skillNameIn(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 65_536)).toString('utf8');
  const frontMatter = /^\uFEFF?\s*---\r?\n([\s\S]*?)\r?\n---/u.exec(text)?.[1];
  return frontMatter === undefined
    ? undefined
    : /^name:[ \t]*["']?([a-z0-9-]+)["']?[ \t]*(?:#.*)?$/mu.exec(frontMatter)?.[1];
}
