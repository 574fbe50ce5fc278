import { withoutPromptTags } from './prompt-tags.js';

/** A text that somebody else wrote, between fences that it cannot close and without tags of the prompt. */
export function fencedText(text: string): string {
  const plain = withoutPromptTags(text);
  let longest = 2;
  for (const [run] of plain.matchAll(/`{3,}/gu)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${plain}${plain === '' || plain.endsWith('\n') ? '' : '\n'}${fence}`;
}
