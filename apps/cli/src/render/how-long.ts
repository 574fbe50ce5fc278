import { duration } from './duration.js';

/** What a person is told of a pause before a model is asked again. */
export function howLong(milliseconds: number): string {
  return `waiting ${duration(milliseconds)} before the model is asked again; Ctrl-C ends it`;
}
