import { expect, test } from 'vitest';
import { explainRefusal } from './explain-refusal.js';

const open = { apparmor: undefined, clone: '1', most: '96364' };
const denied = 'bwrap: setting up uid map: Permission denied\n';

test.each([
  [{ ...open, apparmor: '1' }, /kernel\.apparmor_restrict_unprivileged_userns is 1\. Give bwrap a profile/u],
  [{ ...open, clone: '0' }, /kernel\.unprivileged_userns_clone is 0/u],
  [{ ...open, most: '0' }, /user\.max_user_namespaces is 0/u],
  [open, /as in most containers/u],
])('with %j, a refusal is told with its cause', (settings, told) => {
  for (const said of [
    denied,
    'bwrap: No permissions to create new namespace',
    'bwrap: Creating new namespace failed',
  ]) {
    expect(explainRefusal(said, settings)).toMatch(told);
  }
  expect(explainRefusal(denied, settings)).toContain('It says: bwrap: setting up uid map: Permission denied');
});

test('what has nothing to do with namespaces is told as it is, short and safe for a terminal', () => {
  const told = explainRefusal(`bwrap: Unknown option \u001b[2J${'x'.repeat(1_000)}`, { ...open, apparmor: '1' });
  expect(told).toMatch(/^bubblewrap does not start anything here\. It says: bwrap: Unknown option/u);
  expect(told).not.toContain('\u001b');
  expect(told.length).toBeLessThan(400);
  expect(explainRefusal('', open)).toBe('bubblewrap does not start anything here.');
});
