import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePackSpec } from '@skillpack/core';
import { expect, test } from 'vitest';
import { diagnoseRoot } from '../src/doctor/diagnose-root.js';
import { installPacks } from '../src/install/install-packs.js';
import { projectRoot } from '../src/root/install-root.js';
import { uninstallPacks } from '../src/uninstall/uninstall-packs.js';
import { verifyRoot } from '../src/verify/verify-root.js';
import type { ChildTask } from './children/change-root.js';
import { runChild } from './run-child.js';
import { makeWorld, readTree, refusal, skill, temporaryFolder, type World } from './world.js';

// Every call takes minutes; a sample of them is for every day. On Linux the built command is killed at system calls, too.
const daily = process.platform === 'linux' ? 10 : 4;
const stride = process.env['SKILLPACK_LONG_TESTS'] === undefined ? daily : 1;

const offered: ChildTask['offered'] = [
  { name: 'org/base', version: '1.0.0' },
  {
    name: 'org/office',
    version: '1.0.0',
    skills: { pdf: { ...skill('pdf', 'old'), 'scripts/run.sh': '#!/bin/sh\n' }, gone: skill('gone') },
    executable: ['pdf/scripts/run.sh'],
  },
  {
    name: 'org/office',
    version: '2.0.0',
    skills: { pdf: { ...skill('pdf', 'new'), 'reference/more.md': 'more' }, added: skill('added') },
    dependencies: { 'org/base': '^1' },
  },
];

const scenarios: Record<string, { readonly before: readonly string[]; readonly task: Partial<ChildTask> }> = {
  'a first install': { before: [], task: { install: ['org/office@1.0.0'] } },
  'an update that adds and removes skills': { before: ['org/office@1.0.0'], task: { install: ['org/office@2.0.0'] } },
  'an uninstall': { before: ['org/office@2.0.0'], task: { uninstall: ['org/office'] } },
  'an update over edited files': {
    before: ['org/office@1.0.0'],
    task: { install: ['org/office@2.0.0'], replace: true },
  },
};

/** Everything but what only says that a process was there. */
function content(project: string): Record<string, string> {
  const tree = existsSync(project) ? readTree(project) : {};
  return Object.fromEntries(
    Object.entries(tree).filter(([path]) => !path.endsWith('/.lock') && !path.includes('.skillpack-backups')),
  );
}

async function prepare(
  before: readonly string[],
  edit: boolean,
): Promise<{ readonly world: World; readonly dir: string }> {
  const world = makeWorld();
  for (const description of offered) await world.offer(description);
  if (before.length > 0) await world.install(before);
  if (edit) writeFileSync(join(world.skills, 'pdf/SKILL.md'), 'edited');
  return { world, dir: temporaryFolder() };
}

test.each(Object.entries(scenarios))(
  'PSA-32: killed at any call that changes the disk, %s leaves the old state or the new one',
  async (name, { before, task }) => {
    const { world, dir } = await prepare(before, name.includes('edited'));
    const old = content(world.project);
    const base = { offered, ...task };
    const whole = join(dir, 'whole');
    if (existsSync(world.project)) cpSync(world.project, whole, { recursive: true });
    const { report } = await runChild({
      ...base,
      cache: join(dir, 'cache'),
      project: whole,
      death: { at: 0, when: 'before' },
    });
    expect(report.calls?.length).toBeGreaterThan(20);
    const next = content(whole);
    const replaced = skillNames(old).filter((entry) => skillNames(next).includes(entry));
    const exchanges = replaced.length > 0 && process.platform === 'linux' ? ['swapSync'] : [];
    expect(report.calls).toEqual(expect.arrayContaining(exchanges));
    const seen = { old: 0, next: 0 };

    const dieAndRecover = async (at: number, when: 'before' | 'after'): Promise<void> => {
      const project = join(dir, `${when}-${at}`);
      if (existsSync(world.project)) cpSync(world.project, project, { recursive: true });
      const cache = join(dir, `cache-${at}`);
      const outcome = await runChild({ ...base, cache, project, death: { at, when } });
      expect({ at, ...outcome }).toMatchObject({ signal: 'SIGKILL' });
      // Every skill is whole at once, whatever the next command does.
      for (const entry of existsSync(join(project, '.agents/skills'))
        ? readdirSync(join(project, '.agents/skills'))
        : []) {
        if (entry.startsWith('.')) continue;
        const found = readTree(join(project, '.agents/skills', entry));
        expect([skillIn(old, entry), skillIn(next, entry)]).toContainEqual(found);
      }
      if (process.platform === 'linux') {
        for (const entry of replaced) expect(existsSync(join(project, '.agents/skills', entry))).toBe(true);
      }
      const verified = await verifyRoot({ root: projectRoot(project) });
      const after = content(project);
      expect([old, next]).toContainEqual(after);
      seen[JSON.stringify(after) === JSON.stringify(next) ? 'next' : 'old'] += 1;
      if (name.includes('edited')) expect(everything(project)).toContain('edited');
      else expect(verified.packs.flatMap(({ findings }) => findings)).toEqual([]);
      expect((await diagnoseRoot({ root: projectRoot(project) }, world.ports)).findings.filter(isLeftover)).toEqual([]);
      await finish({ ...base, cache, project }, world, JSON.stringify(after) === JSON.stringify(next));
      expect(content(project)).toEqual(next);
      rmSync(project, { recursive: true });
    };

    const all = Array.from({ length: report.calls?.length ?? 0 }, (_, index) => index + 1);
    const points = all.filter((at) => at % stride === 0 || report.calls?.[at - 1] === 'swapSync').values();
    const worker = async (): Promise<void> => {
      for (const at of points) await dieAndRecover(at, Math.floor(at / stride) % 2 === 0 ? 'before' : 'after');
    };
    await Promise.all([worker(), worker(), worker()]);
    expect(seen.old).toBeGreaterThan(0);
    expect(seen.next).toBeGreaterThan(0);
  },
  600_000,
);

/** Does again what was interrupted. To uninstall what is gone already is an error, and changes nothing. */
async function finish(task: ChildTask, { ports }: World, done: boolean): Promise<void> {
  const root = projectRoot(task.project);
  if (task.uninstall === undefined) {
    const specs = (task.install ?? []).map((spec) => parsePackSpec(spec));
    await installPacks({ root, specs }, ports, { replace: task.replace });
  } else if (done) {
    expect(await refusal(uninstallPacks({ root, names: task.uninstall }, ports))).toMatchObject({
      code: 'PACK_NOT_INSTALLED',
    });
  } else {
    await uninstallPacks({ root, names: task.uninstall }, ports);
  }
}

/** The texts of all files, backups included. */
function everything(project: string): readonly string[] {
  return Object.values(readTree(project));
}

function skillNames(tree: Record<string, string>): readonly string[] {
  const names = Object.keys(tree).map((path) => /^\.agents\/skills\/([^./][^/]*)\//u.exec(path)?.[1] ?? '');
  return [...new Set(names)].filter((name) => name !== '');
}

function skillIn(tree: Record<string, string>, name: string): Record<string, string> {
  const prefix = `.agents/skills/${name}/`;
  const files = Object.entries(tree).filter(([path]) => path.startsWith(prefix));
  return Object.fromEntries(files.map(([path, text]) => [path.slice(prefix.length), text]));
}

function isLeftover({ kind }: { readonly kind: string }): boolean {
  return kind === 'unfinished-install' || kind.startsWith('leftover');
}
