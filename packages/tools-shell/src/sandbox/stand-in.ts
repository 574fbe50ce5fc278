import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readlinkSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoted, SkillsError } from '@skillpack/core';
import { errnoOf } from '../errno.js';

/** Those of this process. */
const standing = new Set<Disposable>();
/** How often a folder is made that another process removes in that moment. */
const attempts = 100;
const entryName = /^skillpack-(\d{1,20})-(\d{1,10})-[0-9a-f-]{36}$/u;

/**
 * Makes a folder that is not there, so that nothing else can be put there until it is disposed of. Whoever needs it has an
 * entry in it: as long as one has, no other process removes it either. What a process that was killed has left of its own
 * goes with the next one's.
 *
 * @returns `undefined` where something of somebody else's is there, or nobody can make anything.
 * @throws `TOOL_NOT_ALLOWED` where a program could make it though it cannot be made here; `IO_ERROR`.
 */
export function standIn(path: string): Disposable | undefined {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const made = make(path);
    if (made === undefined) return undefined;
    const others = entriesOf(path);
    if (others === 'gone') continue;
    if (!made && others.some((name) => !entryName.test(name))) return undefined;
    const entry = join(path, `skillpack-${namespace()}-${process.pid}-${randomUUID()}`);
    const entered = attemptTo(() => mkdirSync(entry));
    if (entered === 'ENOENT') continue;
    if (entered !== undefined) return undefined;
    // Another process may just have made it. If it was a person, it stays.
    return held({ path, entry, removed: made || others.length > 0 });
  }
  throw new SkillsError('IO_ERROR', `${quoted(path)} is made and removed all the time.`);
}

interface Held {
  readonly path: string;
  readonly entry: string;
  /** Whether the folder goes with its last entry. */
  readonly removed: boolean;
}

function held({ path, entry, removed }: Held): Disposable {
  const place: Disposable = {
    [Symbol.dispose]() {
      standing.delete(place);
      if (standing.size === 0) process.removeListener('exit', disposeAll);
      attemptTo(() => rmdirSync(entry));
      if (!removed) return;
      removeLeft(path);
      attemptTo(() => rmdirSync(path));
    },
  };
  if (standing.size === 0) process.once('exit', disposeAll);
  standing.add(place);
  return place;
}

/** Where this process ends first, nobody else removes them. */
function disposeAll(): void {
  for (const place of standing) place[Symbol.dispose]();
}

/** Entries of processes that are gone, as far as that can be seen from here. */
function removeLeft(path: string): void {
  const names = entriesOf(path);
  if (names === 'gone') return;
  for (const name of names) {
    const [, where, pid] = entryName.exec(name) ?? [];
    if (where === namespace() && isGone(Number(pid))) attemptTo(() => rmdirSync(join(path, name)));
  }
}

function isGone(pid: number): boolean {
  return attemptTo(() => process.kill(pid, 0)) === 'ESRCH';
}

/** Where ids of processes mean the same, as they do not in two containers. */
function namespace(): string {
  try {
    return /\d+/u.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

/** What is there; nothing that could be entered counts as somebody else's. */
function entriesOf(path: string): readonly string[] | 'gone' {
  try {
    return readdirSync(path);
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? 'gone' : [''];
  }
}

/** Whether it was made, or is there; `undefined` where nobody can make it, a program neither. */
function make(path: string): boolean | undefined {
  const code = attemptTo(() => mkdirSync(path));
  if (code === undefined) return true;
  if (code === 'EEXIST') return false;
  // Its owner gives rights back to themselves.
  if (code === 'EACCES' && statSync(dirname(path)).uid === process.getuid?.()) {
    throw new SkillsError('TOOL_NOT_ALLOWED', `${quoted(dirname(path))} cannot be written to, but is yours.`, {
      hint: `A script could make ${quoted(path)}. Give yourself the right to write there, or work in another folder.`,
      data: { path },
    });
  }
  if (['EACCES', 'EPERM', 'EROFS'].includes(code)) return undefined;
  throw new SkillsError('IO_ERROR', `The system does not make ${quoted(path)} (${code}).`);
}

/** The code of what the system did not do; `undefined` where it was done. */
function attemptTo(act: () => unknown): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return errnoOf(error);
  }
}
