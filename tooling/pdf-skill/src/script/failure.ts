/** What can go wrong, as a caller can tell it apart. Every one but `USAGE` ends with exit code 1, `USAGE` with 2. */
export type FailureCode =
  | 'USAGE'
  | 'FILE_NOT_FOUND'
  | 'FILE_UNREADABLE'
  | 'FILE_TOO_LARGE'
  | 'NOT_A_PDF'
  | 'ENCRYPTED'
  | 'WRONG_PASSWORD'
  | 'DAMAGED'
  | 'PAGE_OUT_OF_RANGE'
  | 'TOO_MANY_PAGES'
  | 'OUTPUT_EXISTS'
  | 'OUTPUT_FAILED'
  | 'TIMEOUT'
  | 'OUT_OF_MEMORY';

/** A refusal a person or an agent can act on. It crosses from the worker as plain data. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly hint: string;

  constructor(code: FailureCode, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }

  static usage(message: string): Failure {
    return new Failure('USAGE', message, 'Run with --help to see every command and option.');
  }
}
