/** What a rule on actions is, by the one field that says so, with those that may stand beside it. */
export const ruleFields = {
  occurs: ['atLeast', 'atMost'],
  forbidden: [],
  first: ['before'],
  sequence: ['mode'],
} as const;

/** What a check of an output is, by the one field that says so, with those that may stand beside it, but for `not` and `text`. */
export const checkFields = {
  contains: ['mode', 'caseless', 'of'],
  equals: ['caseless', 'of'],
  startsWith: ['caseless', 'of'],
  regex: ['flags', 'of'],
  json: ['within', 'of'],
  words: ['of'],
  similar: ['least', 'of'],
  file: [],
  script: ['args'],
  rubric: [],
} as const;
