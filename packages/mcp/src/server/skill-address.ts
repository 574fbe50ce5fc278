import { isSkillName, suggestSkillName, type SkillEntry } from '@skillpack/core';

/** The name that a skill has in the protocol: its own, or one made of it that the specification allows. */
export function protocolName({ head, name }: Pick<SkillEntry, 'head' | 'name'>): string {
  if (isSkillName(head.name)) return head.name;
  return suggestSkillName(head.name) ?? suggestSkillName(name) ?? 'skill';
}

/** Whether the path of its address is its name, with nothing made of it. */
export function hasOwnName(skill: Pick<SkillEntry, 'head' | 'name'>): boolean {
  return rootOf(segmentsOf(skill)) === `skill://${skill.name}`;
}

/** Gives each skill an address of its own, none of which lies in another one's folder. */
export class SkillAddresses {
  readonly #taken = new Set<string>();
  readonly #above = new Set<string>();

  /** The root of a skill, `skill://org/pdf`: below it lie its files, and its last segment is its name in the protocol. */
  add(skill: Pick<SkillEntry, 'head' | 'name'>): string {
    const segments = segmentsOf(skill);
    for (let copy = 1; ; copy += 1) {
      const root = rootOf(copy === 1 ? segments : [`~${copy}`, ...segments]);
      const above = foldersAbove(root);
      if (this.#taken.has(root) || this.#above.has(root) || above.some((folder) => this.#taken.has(folder))) continue;
      this.#taken.add(root);
      for (const folder of above) this.#above.add(folder);
      return root;
    }
  }
}

/** The address of a file of a skill, from the root of the skill and the path in it. */
export function fileAddress(root: string, path: string): string {
  return `${root}/${path.split('/').map(encodeSegment).join('/')}`;
}

/** The folders that an address lies in, without the address itself, the nearest one first. */
export function foldersAbove(address: string): readonly string[] {
  const folders: string[] = [];
  const start = 'skill://'.length;
  for (let end = address.lastIndexOf('/'); end > start; end = address.lastIndexOf('/', end - 1)) {
    folders.push(address.slice(0, end));
  }
  return folders;
}

function segmentsOf(skill: Pick<SkillEntry, 'head' | 'name'>): readonly string[] {
  const own = protocolName(skill);
  const segments = skill.name.split('/').filter((segment) => segment !== '');
  const last = segments.at(-1);
  const same = last !== undefined && (last === own || last === skill.head.name);
  return [...(same ? segments.slice(0, -1) : segments), own];
}

function rootOf(segments: readonly string[]): string {
  return `skill://${segments.map(encodeSegment).join('/')}`;
}

function encodeSegment(segment: string): string {
  // A segment of dots would be taken for the folder above.
  return /^\.+$/u.test(segment) ? segment.replaceAll('.', '_') : encodeURIComponent(segment.toWellFormed());
}
