// Behind what ends a sentence or a clause.
const clauseEnds = /(?<=[.;!?。；！？\n])|\s(?=[—–-]\s)/u;
const beginnings = String.raw`(?:do not (?:use|trigger|invoke|activate)|don['’]t (?:use|trigger|invoke|activate)|not (?:for|intended for|to be used|suitable)|never use|avoid (?:for|when|using)|skip (?:for|when|this)|不要|不适用|不適用|不用于|不用於)`;
// “For charts, see charts.” and “For charts, use chart-maker instead.”, but not “For charts, use this skill.”
const pointer = String.raw`,\s(?:(?:see|refer to|go to)\s|(?:use|try|prefer|run)\s(?!(?:this|it|when|the|these|if|for|to|an?|me)\b))`;
const exclusion = new RegExp(String.raw`^[\s—–*(-]*(?:${beginnings}|for\s[^.;!?\n]{1,200}?${pointer})`, 'iu');
const anywhere = new RegExp(String.raw`${beginnings}|${pointer}`, 'iu');

/**
 * A description without the sentences that say what the skill is not for, and those that send for it elsewhere: by their
 * words it would be found for just that. Whole, where nothing else is in it.
 */
export function withoutExclusions(description: string): string {
  // Most descriptions have none, and to cut them takes ten times as long as to see that.
  if (!anywhere.test(description)) return description;
  const kept = description.split(clauseEnds).filter((clause) => !exclusion.test(clause));
  const text = kept.join(' ');
  return text.trim() === '' ? description : text;
}
