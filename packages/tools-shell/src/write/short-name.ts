/** What Windows, and Linux on its disks, may know a name by besides: `GIT~1` is `.git`, `DEVCON~1.JSO` `.devcontainer.json`. */
const shortName = /^(?<stem>[^.~]{1,6})~\d+(?:\.(?<ending>[^.]{1,3}))?$/u;
/** Of many that begin alike, some digits stand for what is left of the name. */
const hashed = /^(?<begin>..)[\da-f]{4}$/u;

/** Whether a name may be the short one of another. Both are folded. */
export function isShortNameOf(given: string, name: string): boolean {
  const { stem, ending = '' } = shortName.exec(given)?.groups ?? {};
  if (stem === undefined) return false;
  const plain = name.replace(/^[. ]+/u, '');
  const dot = plain.lastIndexOf('.');
  const [base, rest] = dot === -1 ? [plain, ''] : [plain.slice(0, dot), plain.slice(dot + 1)];
  const begin = hashed.exec(stem)?.groups?.['begin'];
  const letters = base.replaceAll(/[. ]/gu, '');
  return ending === rest.slice(0, 3) && (stem === letters.slice(0, 6) || begin === letters.slice(0, 2));
}
