import { statEntry } from '../disk/stat-entry.js';
import type { ArchiveStore } from '../store/archive-store.js';
import type { DoctorFinding, DoctorOptions } from './doctor-report.js';

/** Looks through the store. Everything in it can be fetched anew, so what is damaged is removed. */
export async function examineStore(
  store: ArchiveStore,
  { repair = false, signal }: DoctorOptions,
): Promise<readonly DoctorFinding[]> {
  const { damaged, leftovers, blocked } = await store.verify({ repair, signal });
  return [
    ...damaged.map((path) =>
      removable(
        path,
        'damaged-archive',
        'An archive in the cache cannot be read, or does not have the bytes of its name.',
      ),
    ),
    ...leftovers.map((path) =>
      removable(path, 'leftover-temporary-file', 'An archive was being written to the cache when its process died.'),
    ),
    ...blocked.map((path): DoctorFinding => {
      const message = 'It stands where the cache keeps archives, and keeps it from keeping some.';
      return {
        kind: 'blocked-path',
        subject: path,
        message,
        advice: 'Move it away.',
        repairable: false,
        repaired: false,
      };
    }),
  ];

  function removable(subject: string, kind: DoctorFinding['kind'], message: string): DoctorFinding {
    if (!repair) {
      const advice = 'Run `skills doctor --repair`: it removes it, and what is needed is fetched anew.';
      return { kind, subject, message, advice, repairable: true, repaired: false };
    }
    const repaired = statEntry(subject) === undefined;
    const advice = repaired
      ? 'It was removed; what is needed is fetched anew.'
      : 'Remove it, or make its folder writable.';
    return { kind, subject, message, advice, repairable: repaired, repaired };
  }
}
