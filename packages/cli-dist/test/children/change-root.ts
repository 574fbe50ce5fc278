import { appendFileSync } from 'node:fs';
import { parsePackSpec, SkillsError, type PackName, type PackRegistry } from '@skillpack/core';
import { createMemoryRegistry, makePack, type PackDescription } from '@skillpack/core/testing';
import { createArchiveReader } from '../../src/archive/archive-reader.js';
import { createArchiveWriter } from '../../src/archive/archive-writer.js';
import { sha256 } from '../../src/archive/sha256.js';
import { diagnoseRoot } from '../../src/doctor/diagnose-root.js';
import type { DoctorFinding } from '../../src/doctor/doctor-report.js';
import { installPacks } from '../../src/install/install-packs.js';
import { projectRoot } from '../../src/root/install-root.js';
import { openStore } from '../../src/store/disk-store.js';
import { uninstallPacks } from '../../src/uninstall/uninstall-packs.js';
import { updatePacks } from '../../src/update/update-packs.js';
import { verifyRoot } from '../../src/verify/verify-root.js';
import { dieAt, type DeathPlan } from './die-at.js';

/** What one process does to a project. */
export interface ChildTask {
  readonly project: string;
  readonly cache: string;
  readonly offered: readonly PackDescription[];
  readonly install?: readonly string[] | undefined;
  readonly uninstall?: readonly string[] | undefined;
  readonly verify?: boolean | undefined;
  readonly update?: boolean | undefined;
  /** Whether a doctor repairs. */
  readonly repair?: boolean | undefined;
  readonly replace?: boolean | undefined;
  readonly death?: DeathPlan | undefined;
  /** The event at which the process stops, as by Ctrl-Z. */
  readonly stopAt?: string | undefined;
  /** The event at which the process ends itself, as by SIGKILL. */
  readonly dieOn?: string | undefined;
  /** A file in which the process notes for whom it waits, as soon as it is told. */
  readonly waitNotes?: string | undefined;
  readonly lockTimeout?: number | undefined;
}

const task = JSON.parse(process.argv[2]!) as ChildTask;
const archives = createArchiveReader();
const now = (): Date => new Date('2026-11-22T10:00:00Z');
const registry = createMemoryRegistry({ archives, sha256, now });
for (const description of task.offered) {
  const { archive, format } = makePack(description, { writer: createArchiveWriter(), sha256 });
  await registry.publish({ archive, format });
}
const root = projectRoot(task.project);
const ports = {
  registryFor: (_: PackName): PackRegistry => registry,
  download: (): Promise<never> => Promise.reject(new Error('nothing is downloaded here')),
  archives,
  store: openStore(task.cache),
  machine: { platform: 'linux', hasProgram: () => true, hasVariable: () => true },
  now,
  version: '1.2.3',
};
const waits: (number | undefined)[] = [];
let findings: readonly DoctorFinding[] | undefined;
const onEvent = ({ kind, holder }: { readonly kind: string; readonly holder?: number | undefined }): void => {
  if (kind === 'waiting') {
    waits.push(holder);
    if (task.waitNotes !== undefined) appendFileSync(task.waitNotes, `${holder}\n`);
  }
  if (kind === task.stopAt) process.kill(process.pid, 'SIGSTOP');
  if (kind === task.dieOn) process.kill(process.pid, 'SIGKILL');
};
const calls = task.death === undefined ? () => [] : dieAt(task.death);
try {
  const { lockTimeout, replace } = task;
  if (task.verify === true) await verifyRoot({ root });
  else if (task.repair === true) ({ findings } = await diagnoseRoot({ root }, ports, { repair: true, lockTimeout }));
  else if (task.update === true) await updatePacks({ root, names: [] }, ports, { onEvent, lockTimeout });
  else if (task.uninstall !== undefined)
    await uninstallPacks({ root, names: task.uninstall }, ports, { onEvent, lockTimeout });
  else {
    const specs = (task.install ?? []).map((spec) => parsePackSpec(spec));
    await installPacks({ root, specs }, ports, { onEvent, lockTimeout, replace });
  }
  process.stdout.write(JSON.stringify({ calls: calls(), waits, findings }));
} catch (error) {
  const failure = SkillsError.is(error) ? { code: error.code, data: error.data } : { code: String(error) };
  process.stdout.write(JSON.stringify(failure));
  process.exitCode = 1;
}
