/*
 * The packs and skills of a registry in a browser, with a search: the same core as in Node, over `fetch`. What the
 * registry says is shown as text and nothing else, with its invisible characters visible.
 */
import {
  createSkillRegistry,
  parseSearchCatalogue,
  parseSearchPointer,
  searchCatalogue,
  SkillsError,
  visibleLines,
  visibleText,
  type PackSummary,
  type SkillEntry,
} from '@skillpack/core';
import { discoveredSkills } from '@skillpack/registry-http/discovery';
import { sha256 } from './sha256.ts';

const base = new URL('registry/', document.baseURI);
const registry = createSkillRegistry(discoveredSkills(base, { fetch, sha256 }), { sha256 });
const search = find('input', HTMLInputElement);
const status = find('[role=status]', HTMLElement);
const text = find('#text', HTMLElement);

try {
  const [{ skills }, packs] = await Promise.all([registry.index(), readCatalogue()]);
  show(packs, skills);
  search.addEventListener('input', () => void attempt(() => searchBoth(packs, skills)));
} catch (error) {
  tell(error);
}

async function readCatalogue(): Promise<readonly PackSummary[]> {
  const pointer = parseSearchPointer(await readText('search/latest.json'), 'search/latest.json');
  return parseSearchCatalogue(await readText(pointer.catalogue), pointer.catalogue);
}

async function readText(path: string): Promise<string> {
  const response = await fetch(new URL(path, base));
  if (!response.ok) throw new SkillsError('REGISTRY_ERROR', `${response.url} answers ${response.status}.`);
  return response.text();
}

async function searchBoth(packs: readonly PackSummary[], skills: readonly SkillEntry[]): Promise<void> {
  const words = search.value.trim();
  if (words === '') return show(packs, skills);
  const matches = await registry.search(words);
  // Whoever types on is interested in the newest words alone.
  if (words !== search.value.trim()) return;
  show(
    searchCatalogue(packs, words),
    matches.map(({ entry }) => entry),
  );
}

function show(packs: readonly PackSummary[], skills: readonly SkillEntry[]): void {
  status.textContent = `${packs.length} packs, ${skills.length} skills`;
  const ofPacks = packs.map(({ name, version, description }) => element('li', `${name} ${version}: ${description}`));
  find('#packs', HTMLElement).replaceChildren(...ofPacks);
  find('#skills', HTMLElement).replaceChildren(...skills.map(itemOf));
}

function itemOf(skill: SkillEntry): HTMLElement {
  const item = element('li', ` ${skill.head.description}`);
  const button = element('button', skill.name);
  button.addEventListener('click', () => {
    void attempt(async () => {
      const { skill: read } = await registry.body(skill);
      text.textContent = visibleLines(read.body);
      text.hidden = false;
    });
  });
  item.prepend(button);
  return item;
}

/** Text from a registry is never markup: `textContent` and nothing else puts it into the page. */
function element(tag: string, content: string): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = visibleText(content);
  return made;
}

async function attempt(work: () => Promise<void>): Promise<void> {
  await work().catch(tell);
}

function tell(error: unknown): void {
  status.textContent = SkillsError.is(error) ? `${error.code}: ${visibleText(error.message)}` : 'This did not work.';
}

function find<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
}
