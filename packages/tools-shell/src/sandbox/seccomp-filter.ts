/** A processor whose system calls are known here by their numbers. */
export type FilteredArchitecture = 'x64' | 'arm64';

interface Calls {
  /** What the kernel calls the processor (`AUDIT_ARCH_…`). */
  readonly audit: number;
  readonly clone: number;
  readonly clone3: number;
  readonly ioctl: number;
  readonly socket: number;
  /** Never needed by a script, and a way into the kernel or out of its confinement. */
  readonly refused: readonly number[];
  /** Memory that no limit of a process counts. Programs do without where they do not know them. */
  readonly unknown: readonly number[];
  /** Those that make a file, or change its mode, each with the place of the mode among its arguments. */
  readonly modes: readonly (readonly [call: number, mode: Argument])[];
  /** Those that may make a file, each with the place of its flags; the mode is behind them. */
  readonly opens: readonly (readonly [call: number, flags: 'second' | 'third'])[];
  readonly fallocate: number;
}

type Argument = 'first' | 'second' | 'third' | 'fourth';

/** The same everywhere: io_uring, mounting by descriptors, descriptors of other processes. */
const recent = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442];

// In this order: unshare, setns, mount, umount2, pivot_root, chroot; ptrace, process_vm_readv and _writev, kcmp; kexec_load,
// kexec_file_load, init_module, finit_module, delete_module; keyctl, add_key, request_key; bpf, perf_event_open, userfaultfd;
// name_to_handle_at, open_by_handle_at; swapon, swapoff, reboot, syslog, acct, quotactl; settimeofday, clock_settime,
// clock_adjtime, adjtimex; fanotify_init, lookup_dcookie, nfsservctl, vhangup, mbind, migrate_pages, move_pages. Of x64
// also iopl, ioperm, modify_ldt, uselib, ustat, sysfs, _sysctl. Unknown: memfd_create, memfd_secret, shmget, semget, msgget.
// Modes: chmod, fchmod, fchmodat, fchmodat2, creat, mknod, mknodat. Opens: open, openat.
const calls: Readonly<Record<FilteredArchitecture, Calls>> = {
  x64: {
    audit: 0xc000003e,
    clone: 56,
    clone3: 435,
    ioctl: 16,
    socket: 41,
    refused: [
      [272, 308, 165, 166, 155, 161, 101, 310, 311, 312, 246, 320, 175, 313, 176, 250, 248, 249, 321, 298, 323],
      [303, 304, 167, 168, 169, 103, 163, 179, 164, 227, 305, 159, 300, 212, 180, 153, 237, 256, 279],
      [172, 173, 154, 134, 136, 139, 156],
      recent,
    ].flat(),
    unknown: [319, 447, 29, 64, 68],
    modes: [
      ...([90, 91, 85, 133] as const).map((call) => [call, 'second'] as const),
      ...([268, 452, 259] as const).map((call) => [call, 'third'] as const),
    ],
    opens: [
      [2, 'second'],
      [257, 'third'],
    ],
    fallocate: 285,
  },
  arm64: {
    audit: 0xc00000b7,
    clone: 220,
    clone3: 435,
    ioctl: 29,
    socket: 198,
    refused: [
      [97, 268, 40, 39, 41, 51, 117, 270, 271, 272, 104, 294, 105, 273, 106, 219, 217, 218, 280, 241, 282],
      [264, 265, 224, 225, 142, 116, 89, 60, 170, 112, 266, 171, 262, 18, 42, 58, 235, 238, 239],
      recent,
    ].flat(),
    unknown: [279, 447, 194, 190, 186],
    modes: [[52, 'second'], ...([53, 452, 33] as const).map((call) => [call, 'third'] as const)],
    opens: [[56, 'third']],
    fallocate: 47,
  },
};

// The language of the filter, as in linux/bpf_common.h and linux/seccomp.h.
const loadWord = 0x20;
const jumpEqual = 0x15;
const jumpAtLeast = 0x35;
const jumpAnyBit = 0x45;
const answer = 0x06;
const allow = 0x7fff0000;
const kill = 0x80000000;
const fail = 0x00050000;

const notPermitted = fail | 1;
const notImplemented = fail | 38;
const notSupported = fail | 95;
const familyNotSupported = fail | 97;

/** Where the kernel says what is called: the number, the processor, the lower halves of the arguments. */
const at = { number: 0, processor: 4, first: 16, second: 24, third: 32, fourth: 40 };
/** Numbers from here on are of the x32 kind, which mean the same by other numbers. */
const x32 = 0x40000000;
/** Flags of `clone` that make a namespace. */
const namespaceFlags = 0x7e020000;
/** What types into a terminal: TIOCSTI and TIOCLINUX. */
const terminalRequests = [0x5412, 0x541c];
/** Local sockets, IPv4 and IPv6. Others, such as those between virtual machines, no network namespace confines. */
const families = [1, 2, 10];
/** Of its kinds, only the one by which programs ask for their addresses. */
const netlink = 16;
/** Flags by which a file is made: O_CREAT, and what of O_TMPFILE is its own. */
const makingFlags = 0x400040;
/** A program that runs with the rights of whom it belongs to, or of the group. */
const setuidModes = 0o6000;
/** Its flags and its mode lie in memory, too. */
const openat2 = 437;

type Instruction = readonly [code: number, whenTrue: number, whenFalse: number, value: number];

/**
 * A filter of system calls for `bwrap --seccomp`: what a script never needs fails as if it were not permitted. Another
 * processor's calls, by which the same would be reached under other numbers, end the process.
 *
 * @returns `undefined` for a processor that is not known here.
 */
export function seccompFilter(architecture: string): Uint8Array | undefined {
  if (architecture !== 'x64' && architecture !== 'arm64') return undefined;
  const { audit, clone, clone3, ioctl, refused, unknown, fallocate } = calls[architecture];
  return assemble([
    [loadWord, 0, 0, at.processor],
    [jumpEqual, 1, 0, audit],
    [answer, 0, 0, kill],
    [loadWord, 0, 0, at.number],
    ...(architecture === 'x64' ? when(jumpAtLeast, x32, notImplemented) : []),
    ...refused.flatMap((call) => when(jumpEqual, call, notPermitted)),
    // Its flags lie in memory, where a filter does not look: whoever is told that there is none uses clone.
    ...[clone3, openat2, ...unknown].flatMap((call) => when(jumpEqual, call, notImplemented)),
    // It takes room on a disk that nothing counts. Who cannot have it writes instead.
    ...when(jumpEqual, fallocate, notSupported),
    ...forCall(clone, [[loadWord, 0, 0, at.first], ...when(jumpAnyBit, namespaceFlags, notPermitted)]),
    ...forCall(ioctl, [
      [loadWord, 0, 0, at.second],
      ...terminalRequests.flatMap((request) => when(jumpEqual, request, notPermitted)),
    ]),
    ...socketRules(calls[architecture]),
    ...modeRules(calls[architecture]),
    [answer, 0, 0, allow],
  ]);
}

function socketRules({ socket }: Calls): readonly Instruction[] {
  return forCall(socket, [
    [loadWord, 0, 0, at.first],
    ...families.flatMap((family) => when(jumpEqual, family, allow)),
    [jumpEqual, 0, 3, netlink],
    [loadWord, 0, 0, at.third],
    ...when(jumpEqual, 0, allow),
    [answer, 0, 0, familyNotSupported],
  ]);
}

/** No program is left behind that gives rights to whoever starts it: where root runs this, those of root. */
function modeRules({ modes, opens }: Calls): readonly Instruction[] {
  const judged = (mode: Argument): readonly Instruction[] => [
    [loadWord, 0, 0, at[mode]],
    ...when(jumpAnyBit, setuidModes, notPermitted),
  ];
  return [
    ...modes.flatMap(([call, mode]) => forCall(call, judged(mode))),
    ...opens.flatMap(([call, flags]) => {
      const body = judged(flags === 'second' ? 'third' : 'fourth');
      // Where no file is made, anything may stand there.
      return forCall(call, [[loadWord, 0, 0, at[flags]], [jumpAnyBit, 0, body.length, makingFlags], ...body]);
    }),
  ];
}

function when(jump: number, value: number, then: number): readonly Instruction[] {
  return [
    [jump, 0, 1, value],
    [answer, 0, 0, then],
  ];
}

/** What is looked at for one call only; whatever it does not answer is allowed. */
function forCall(call: number, body: readonly Instruction[]): readonly Instruction[] {
  const whole: readonly Instruction[] = [...body, [answer, 0, 0, allow]];
  return [[jumpEqual, 0, whole.length, call], ...whole];
}

function assemble(instructions: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8));
  for (const [index, [code, whenTrue, whenFalse, value]] of instructions.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, whenTrue);
    bytes.setUint8(index * 8 + 3, whenFalse);
    bytes.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}
