// The tags by which a run marks what it puts into messages itself: what people and skills wrote cannot hold them.
const blocks = ['run_state', 'skill_body', 'skill_rest', 'skill_note', 'earlier_conversation'] as const;

/** A message without what the run itself put into it: state, bodies of skills, what became of earlier messages. */
export function withoutBlocks(text: string): string {
  let rest = text;
  for (const name of blocks) rest = withoutBlock(rest, name);
  return rest.trim();
}

function withoutBlock(text: string, name: string): string {
  const parts: string[] = [];
  const end = `</${name}>`;
  let from = 0;
  for (let at = text.indexOf(`<${name}`); at !== -1; at = text.indexOf(`<${name}`, from)) {
    const closed = text.indexOf(end, at);
    if (closed === -1) break;
    parts.push(text.slice(from, at));
    from = closed + end.length + (name === 'skill_body' ? linesBelow(text.slice(closed + end.length)) : 0);
  }
  return parts.join('') + text.slice(from);
}

/** How long that is which the run says of a body right below it, as how the rest of a long one is loaded. */
function linesBelow(text: string): number {
  return /^(?:\n[^\n]+)*/u.exec(text)?.[0].length ?? 0;
}

/** The body of a skill in a message: the last one where there are several, of this skill or of any. */
export function bodyIn(text: string, skill?: string): { readonly skill: string; readonly text: string } | undefined {
  const opening = skill === undefined ? '<skill_body name="' : `<skill_body name="${escaped(skill)}"`;
  const start = text.lastIndexOf(opening);
  if (start === -1) return undefined;
  const head = text.indexOf('>', start);
  const end = text.indexOf('</skill_body>', head);
  if (head === -1 || end === -1) return undefined;
  const name = /name="([^"]*)"/u.exec(text.slice(start, head))?.[1] ?? '';
  return { skill: unescaped(name), text: text.slice(head + 1, end).trim() };
}

/** The skill that a person called in a message once more, whose body stands in an earlier one. */
export function calledAgain(text: string): string | undefined {
  const name = /^(?:<skill_note>)?The skill “(?<name>[^”\n]+)” is called again\./mu.exec(text)?.groups?.['name'];
  return name === undefined ? undefined : unescaped(name);
}

/** The skills that the newest state of the run says are loaded; `undefined` where there is no state. */
export function loadedSkills(text: string): readonly string[] | undefined {
  const start = text.lastIndexOf('<run_state>');
  if (start === -1) return undefined;
  const line = /^skills loaded: (.+)$/mu.exec(text.slice(start))?.[1];
  return line === undefined ? [] : line.split(', ').map(unescaped);
}

const entities: readonly (readonly [character: string, entity: string])[] = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
];

function escaped(text: string): string {
  return entities.reduce((result, [character, entity]) => result.replaceAll(character, entity), text);
}

/** Text in which entities of XML stand for what they mean. */
export function unescaped(text: string): string {
  return entities.toReversed().reduce((result, [character, entity]) => result.replaceAll(entity, character), text);
}
