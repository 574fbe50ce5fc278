const english = `a about an and any are as at be been being but by can cannot could d did do does doing don for from had has
have having he her here hers him his how i if in into is it its just ll m me my of on or our ours out over please re s she
should so some t than that the their theirs them then there these they this those to up us ve very was we were what when
where which while who whom whose why will with would you your yours`;

/** Words that hold a sentence together and say nothing of what it is about, so far as they were folded. */
export const functionWords: ReadonlySet<string> = new Set(english.split(/\s+/u));
