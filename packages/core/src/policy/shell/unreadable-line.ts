/**
 * Thrown where a line cannot be read for sure; `readCommandLine` makes an opaque line of it. Nobody else sees it. Its
 * message is a sentence for a person, cleaned for a terminal.
 */
export class UnreadableLine extends Error {
  override readonly name = 'UnreadableLine';
}
