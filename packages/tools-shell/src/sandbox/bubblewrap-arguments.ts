import type { ConfinedProgram } from './sandbox.js';
import { limitArguments } from './limit-arguments.js';
import type { FilledSandboxLimits } from './sandbox-limits.js';
import type { Mount } from './mount-plan.js';
import type { SystemPlace } from './shown-system.js';

/** What bubblewrap is told. */
export interface BubblewrapPlan {
  readonly program: Pick<ConfinedProgram, 'file' | 'args' | 'workspace' | 'environment'>;
  readonly system: readonly SystemPlace[];
  readonly mounts: readonly Mount[];
  /** Files that stand for settings: where they lie, by where they are seen. */
  readonly madeUp: readonly Mount[];
  readonly limits: FilledSandboxLimits;
  /** `prlimit`, absolute and seen. */
  readonly limiter: string;
  /** Descriptors: of the filter of system calls, and of where it says what became of the program. */
  readonly filter: number | undefined;
  readonly status: number;
}

/** Who a confined program is: nobody in particular, and never root. */
export const confinedUser = 1000;
export const temporaryFolder = '/tmp';

/** What bubblewrap is told by a file, since variables are among it, and what it starts. */
export interface BubblewrapArguments {
  readonly options: readonly string[];
  readonly command: readonly string[];
}

/** The arguments of bubblewrap: first what is seen, from the outside in, then the rest. */
export function bubblewrapArguments(plan: BubblewrapPlan): BubblewrapArguments {
  const { program, limits } = plan;
  const user = String(confinedUser);
  const options = [
    ['--unshare-all', '--unshare-user', '--disable-userns', '--uid', user, '--gid', user],
    ['--hostname', 'sandbox', '--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--clearenv'],
    plan.system.flatMap(systemArguments),
    ['--proc', '/proc', '--dev', '/dev', '--perms', '1777', '--size', size(limits), '--tmpfs', '/dev/shm'],
    ['--perms', '1777', '--size', size(limits), '--tmpfs', temporaryFolder],
    // No link to the other: a workspace may lie below it.
    ['--perms', '1777', '--size', size(limits), '--tmpfs', '/var/tmp'],
    [...plan.mounts, ...plan.madeUp].flatMap(({ path, from, writable }) => [
      writable ? '--bind' : '--ro-bind',
      from,
      path,
    ]),
    // Root outside may write to some of it inside, too.
    ['--remount-ro', '/proc', '--remount-ro', '/dev', '--remount-ro', '/'],
    Object.entries(program.environment).flatMap(([name, value]) => ['--setenv', name, value]),
    plan.filter === undefined ? [] : ['--seccomp', String(plan.filter)],
    ['--json-status-fd', String(plan.status), '--chdir', program.workspace],
  ].flat();
  return { options, command: [plan.limiter, ...limitArguments(limits), program.file, ...program.args] };
}

function systemArguments(place: SystemPlace): readonly string[] {
  return place.kind === 'link' ? ['--symlink', place.target, place.path] : ['--ro-bind-try', place.path, place.path];
}

function size({ temporaryBytes }: FilledSandboxLimits): string {
  return String(temporaryBytes);
}
