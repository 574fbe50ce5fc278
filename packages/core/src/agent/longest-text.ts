import { recordLimits } from './record/record-limits.js';

/** UTF-16 code units of a request, and of a model's answer: with what is around it, it fits a line of a record. */
export const longestText: number = recordLimits.line / 16;
