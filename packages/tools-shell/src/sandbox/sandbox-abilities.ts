/** Something that a program can do unless a sandbox keeps it from that. */
export interface SandboxAbility {
  readonly id: string;
  /** For a person, behind “a script can …”. */
  readonly words: string;
}

/** What a program of somebody else's could do to this machine: the questions that a sandbox has to answer. */
export const sandboxAbilities = [
  { id: 'write-outside', words: 'write files outside of the workspace' },
  { id: 'read-home', words: 'read secrets in the home folder' },
  { id: 'read-environment', words: 'read secrets in the environment of other processes' },
  { id: 'tcp', words: 'reach hosts by TCP' },
  { id: 'udp', words: 'reach hosts by UDP' },
  { id: 'dns', words: 'ask name servers' },
  { id: 'host-sockets', words: 'talk to services by their sockets, such as Docker or an SSH agent' },
  { id: 'other-processes', words: 'see and signal other processes' },
  { id: 'nested-namespaces', words: 'make namespaces of its own, in which it has more rights' },
  { id: 'fork-bomb', words: 'start processes without end' },
  { id: 'memory', words: 'take all memory' },
  { id: 'cpu', words: 'use the processors without end' },
  { id: 'disk', words: 'fill the disk' },
  { id: 'setuid', words: 'gain rights by programs that run as root' },
  { id: 'kernel-interfaces', words: 'use rare interfaces of the kernel' },
  { id: 'links-out', words: 'leave the workspace by links' },
  { id: 'racing-links', words: 'exchange links while others follow them' },
  { id: 'terminal-injection', words: 'type into the terminal' },
  { id: 'survive-timeout', words: 'go on after its time is over' },
  { id: 'write-skill', words: 'change the folder of its skill' },
  { id: 'write-record', words: 'change the record of the run' },
] as const satisfies readonly SandboxAbility[];

/** The name of one of {@link sandboxAbilities}. */
export type SandboxAbilityId = (typeof sandboxAbilities)[number]['id'];

/** What some abilities are, in words, in the order of {@link sandboxAbilities}. */
export function abilityWords(ids: readonly SandboxAbilityId[]): readonly string[] {
  return sandboxAbilities.filter(({ id }) => ids.includes(id)).map(({ words }) => words);
}
