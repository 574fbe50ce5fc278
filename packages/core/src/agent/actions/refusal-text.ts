import { SkillsError } from '../../errors/skills-error.js';
import type { RecordedError } from '../run-event.js';

/** How the run itself says that something was not approved; the reason may follow. */
export function deniedText(summary: string): string {
  return `This was not approved: ${summary}.`;
}

/** How the run itself says that nobody could be asked. */
export function unavailableText(summary: string): string {
  return `This needs a yes, and nobody can be asked: ${summary}.`;
}

/** How the run itself says that whoever was asked failed; the reason follows. */
export function failedText(summary: string): string {
  return `This needs a yes, and whoever was asked for it failed: ${summary}.`;
}

/** How the run itself says that nobody waited for the answer any more, and why. */
export function unansweredText(summary: string, code: 'INTERRUPTED' | 'TIMEOUT'): string {
  const why = code === 'INTERRUPTED' ? 'It was cancelled' : 'The time was up';
  return `${why} at the question for a yes; this was not done: ${summary}.`;
}

/** Whether an error is what the run itself says where there was no yes for what was asked with this summary. */
export function isRefusal({ code, message }: RecordedError, summary: string): boolean {
  // As an error holds it: without credentials, and whatever nobody would see.
  const said = (text: string): string => new SkillsError(code, text).message;
  if (code === 'APPROVAL_DENIED') return message.startsWith(said(deniedText(summary)));
  if (code === 'INTERRUPTED' || code === 'TIMEOUT') return message === said(unansweredText(summary, code));
  if (code !== 'APPROVAL_REQUIRED') return false;
  return message === said(unavailableText(summary)) || message.startsWith(said(failedText(summary)));
}
