/** The options that every command has. */
export interface GlobalOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly colour: boolean;
  readonly cwd: string | undefined;
}
