import { escapedJson, judgePath, parseLockFile, parseProjectFile, SkillsError } from '@skillpack/core';
import * as z from 'zod/mini';
import { readText } from '../disk/read-text.js';
import { statEntry } from '../disk/stat-entry.js';
import type { StandingTrace } from './standing.js';

/** One folder that is to change place. Paths are slash-separated; `to` starts at the folder of the skills. */
export type StagedMove =
  /** `from`, in the transaction's folder, takes the place of what is at `to`. */
  | { readonly kind: 'put'; readonly from: string; readonly to: string; readonly inode: string }
  | { readonly kind: 'drop'; readonly to: string };

/**
 * One folder that changes place. `replaces` is what was at `to` when that was decided; whatever else is found there is
 * somebody's, and kept in a backup.
 */
export type Move =
  | (Extract<StagedMove, { kind: 'put' }> & { readonly replaces: StandingTrace | null })
  | (Extract<StagedMove, { kind: 'drop' }> & { readonly replaces: StandingTrace });

/** One of the two governing files that gets another text, unless somebody else changed it in between. */
export interface TextChange {
  readonly file: 'project' | 'lock';
  /** SHA-256 of the text that was there, in hexadecimal; `null` for none. */
  readonly before: string | null;
  readonly after: string;
}

/** One link for an agent that looks elsewhere. `skill` is what it leads to. */
export interface LinkChange {
  readonly kind: 'make' | 'remove';
  /** Starts at the folder that agents' folders are relative to. */
  readonly path: string;
  readonly skill: string;
}

/** Everything that has to happen once a transaction is committed. Carrying it out twice does no more than once. */
export interface Journal {
  /** The transaction's folder in the staging folder. */
  readonly id: string;
  /** The number of that folder: a file of a project that was sent or checked out cannot know it. */
  readonly staging: string;
  readonly moves: readonly Move[];
  /** The name that what is staged in `backup` gets among the backups. */
  readonly backup?: string | undefined;
  readonly links: readonly LinkChange[];
  /** In this order: the lock file last. */
  readonly texts: readonly TextChange[];
}

// A journal comes with a project like any other file of it, so it may be a stranger's. It names nothing but places
// inside the root and the two governing files.
const inside = z
  .string()
  .check(z.refine((path) => judgePath(path) === undefined, { error: 'expected a path inside the root' }));
const place = inside.check(
  z.refine((path) => !path.includes('/') || /^\.skillpack\/[^/.][^/]*\/[^/]+$/u.test(path), {
    error: 'expected a skill or a record',
  }),
);
const skillName = inside.check(z.refine((name) => !name.includes('/'), { error: 'expected a skill' }));
const inode = z.string().check(z.regex(/^\d{1,20}$/u));
const sha256Hex = z.string().check(z.regex(/^[0-9a-f]{64}$/u));
const standing = z.object({ inode, trace: sha256Hex });

const journalSchema = z.lazy(() =>
  z.object({
    formatVersion: z.literal(1),
    id: z.string().check(z.regex(/^[0-9a-f]{16}$/u)),
    staging: inode,
    moves: z.array(
      z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('put'), from: inside, to: place, inode, replaces: z.nullable(standing) }),
        z.object({ kind: z.literal('drop'), to: place, replaces: standing }),
      ]),
    ),
    backup: z.optional(z.string().check(z.regex(/^[-0-9TZ]{1,40}$/u))),
    links: z.array(z.object({ kind: z.enum(['make', 'remove']), path: inside, skill: skillName })),
    texts: z.array(
      z
        .object({
          file: z.enum(['project', 'lock']),
          before: z.nullable(sha256Hex),
          after: z.string(),
        })
        .check(z.refine(({ file, after }) => isText(file, after), { error: 'expected the text of a governing file' })),
    ),
  }),
);

function isText(file: TextChange['file'], text: string): boolean {
  try {
    if (file === 'lock') parseLockFile(text, file);
    else parseProjectFile(text, file);
    return true;
  } catch (error) {
    if (SkillsError.is(error)) return false;
    throw error;
  }
}

/** The text of a journal. */
export function formatJournal(journal: Journal): string {
  return `${escapedJson({ formatVersion: 1, ...journal })}\n`;
}

const maxBytes = 256 * 1024 * 1024;

/**
 * Reads the journal of a root.
 *
 * @returns `undefined` when there is none; `'unreadable'` for whatever this version did not write, which may be a link, a
 * folder or a FIFO. A journal appears by rename, so that is never the trace of a crash.
 * @throws `IO_ERROR` when the disk does not let it be read.
 */
export function readJournal(path: string): Journal | 'unreadable' | undefined {
  const stats = statEntry(path);
  if (stats === undefined) return undefined;
  if (!stats.isFile() || stats.size > maxBytes) return 'unreadable';
  const text = readText(path, maxBytes);
  if (text === undefined) return undefined;
  try {
    const result = journalSchema.safeParse(JSON.parse(text));
    return result.success ? result.data : 'unreadable';
  } catch {
    return 'unreadable';
  }
}

/** The error for a journal that cannot be carried out. */
export function unreadableJournal(path: string): SkillsError {
  return new SkillsError('IO_ERROR', `${path} is not a journal of this version of skillpack.`, {
    hint: 'Run `skills doctor --repair`: it puts the journal aside and says what is left of the install it was of.',
    data: { path },
  });
}
