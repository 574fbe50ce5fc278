import { hash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createSkillRegistry,
  type AgentPorts,
  type ApprovalRequest,
  type Approver,
  type Digest,
  type RunJournal,
  type SkillRegistry,
} from '@skillpack/core';
import { folderSkills } from '@skillpack/registry-fs';
import { createProcessRunner, createReadTools } from '@skillpack/tools-shell';
import { onTestFinished } from 'vitest';

export const sha256 = (data: string | Uint8Array): Digest => `sha256:${hash('sha256', data)}` as Digest;

/** Folders on the disk as an agent finds them: those of a project, of a person, a workspace, and records. */
export interface AgentGround {
  readonly folder: string;
  readonly workspace: string;
  readonly runs: string;
  readonly registry: SkillRegistry;
  /** What a person was asked, and said yes to. */
  readonly asked: readonly ApprovalRequest[];
  /** Everything but the model, real. */
  ports(journal: RunJournal): Omit<AgentPorts, 'model'>;
}

const samples = join(import.meta.dirname, '..', 'fixtures', 'sample-skills');
const sampleCount = 5;
const verbs =
  'converts,merges,signs,checks,compares,translates,sorts,cleans,plots,publishes,archives,renames,encrypts,counts,splits';
const things =
  'invoices,spreadsheets,photographs,recipes,contracts,subtitles,calendars,diagrams,log files,databases,podcasts,maps,slides,receipts,genomes,fonts,tickets,poems,sensors,backups';

/** Skills in two roots, so many in all, the samples among them; and a workspace with notes. */
export function agentGround(skills: number = sampleCount): AgentGround {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'skillpack-agent-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const roots = { project: join(folder, 'project/.agents/skills'), user: join(folder, 'home/.agents/skills') };
  const workspace = join(folder, 'project');
  mkdirSync(roots.project, { recursive: true });
  cpSync(samples, roots.user, { recursive: true });
  for (const { name, description } of madeSkills().slice(0, skills - sampleCount)) {
    const skill = join(name.length % 2 === 0 ? roots.project : roots.user, name);
    mkdirSync(skill, { recursive: true });
    writeFileSync(
      join(skill, 'SKILL.md'),
      `---\nname: ${name}\ndescription: ${description}\n---\n\nBODY-OF-${name}: do it with care.\n`,
    );
  }
  writeFileSync(join(workspace, 'notes.txt'), 'heron at the weir\ntwo wrens\nheron, asleep\ncoot\nheron above\n');
  const registry = createSkillRegistry(
    folderSkills(
      [
        { path: roots.project, scope: 'project' },
        { path: roots.user, scope: 'user' },
      ],
      performance,
    ),
    { sha256 },
  );
  const asked: ApprovalRequest[] = [];
  const approver: Approver = {
    decide: async (request) => {
      asked.push(request);
      return { kind: 'approved', scope: 'once', by: 'test' };
    },
  };
  const runner = createProcessRunner({ environment: process.env }, { workspace });
  const tools = createReadTools({ clock: { now: Date.now } }, { workspace });
  return {
    folder,
    workspace,
    runs: join(folder, 'runs'),
    registry,
    asked,
    ports: (journal) => ({ registry, runner, tools, approver, journal, clock: { now: Date.now }, sha256 }),
  };
}

/** Three hundred that have nothing to do with birds or mountains. */
function madeSkills(): readonly { readonly name: string; readonly description: string }[] {
  return things.split(',').flatMap((thing) =>
    verbs.split(',').map((verb) => ({
      name: `${verb}-${thing.replaceAll(' ', '-')}`,
      description: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${thing} of any size, from the notes of the person, and says how it went. Use it whenever ${thing} are mentioned.`,
    })),
  );
}
