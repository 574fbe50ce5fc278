/** The machine and the process whose settings are read. */
export interface SettingsSource {
  readonly env: NodeJS.ProcessEnv;
  /** The folder that relative paths start from. */
  readonly cwd: string;
  /** The person's home folder. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Told of what is configured and counts for nothing. */
  readonly warn: (message: string) => void;
}
