import type { OutputCheck } from '../../case/expectations.js';
import type { EvalWorkspace } from '../../trial/eval-ports.js';
import { plainPath } from '../rules/skill-file.js';
import { unknown, type OutputVerdict } from './output-verdict.js';

/** The file is there. */
export async function checkFile(
  { path }: OutputCheck & { readonly kind: 'file' },
  workspace: EvalWorkspace | undefined,
): Promise<OutputVerdict> {
  if (workspace === undefined) return unknown('There is no workspace.');
  const files = await workspace.files();
  const found = files.find((file) => file.path === plainPath(path));
  if (found !== undefined) return { holds: true, evidence: `It is there, with ${found.size} bytes.` };
  const named = files.slice(0, 20).map((file) => file.path);
  const more = files.length > named.length ? `, and ${files.length - named.length} more` : '';
  return {
    holds: false,
    evidence: named.length === 0 ? 'There is no file at all.' : `There is ${named.join(', ')}${more}.`,
  };
}
