// Windows keeps these names for devices, in any case: there is no folder of them. What begins with `-`, a command line takes
// for an option.
const idPattern = /^(?!(?:con|prn|aux|nul|com\d|lpt\d)$)(?!-)[A-Za-z0-9_-]{1,128}$/iu;

/** What is told to whoever gives an id that no run can have. */
export const runIdHint =
  'Use 1 to 128 letters, digits, - and _, no - at the beginning, and no name of a device, as con.';

/**
 * Whether a run may be called so, on any disk: 1 to 128 letters, digits, `-` and `_`, no `-` at the beginning, and none of the
 * names that Windows keeps for devices (`con`, `nul`, `com1`).
 */
export function isRunId(id: string): boolean {
  return idPattern.test(id);
}
