import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const tasks = ['archive', 'check', 'clean', 'compare', 'label', 'print', 'share', 'sort', 'summarise', 'translate'];
const things = ['calendars', 'contracts', 'emails', 'invoices', 'maps', 'podcasts', 'recipes', 'slides', 'tickets'];

/** Writes skills among which an agent has to find the one that fits. @returns how many there are. */
export async function writeOtherSkills(folder: string): Promise<number> {
  const names = tasks.flatMap((task) => things.map((thing) => [task, thing] as const));
  for (const [task, thing] of names) {
    const name = `${task}-${thing}`;
    const description = `Helps to ${task} ${thing}. Use when somebody has ${thing}, as a PDF or otherwise, to ${task}.`;
    await mkdir(join(folder, name), { recursive: true });
    await writeFile(
      join(folder, name, 'SKILL.md'),
      `---\nname: ${name}\ndescription: ${description}\n---\n\n# ${name}\n\nAsk which ${thing} are meant, then ${task} them.\n`,
    );
  }
  return names.length;
}
