/** What the command knows of itself. */
export interface Distribution {
  readonly version: string;
  /** The URL of the file that was started; what is shipped with the command lies beside it. */
  readonly entry: string;
}
