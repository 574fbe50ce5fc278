/** A pattern of a rule, or what keeps it from being one, in words for a person: `A pattern is empty.` */
export type PatternReading<Pattern> = { readonly pattern: Pattern } | { readonly problem: string };

/**
 * How sure a match has to be. What is allowed is meant `surely`; what is denied is denied where it is `possibly` meant,
 * whatever the case of letters, the folder of a program and the like.
 */
export type Certainty = 'surely' | 'possibly';
