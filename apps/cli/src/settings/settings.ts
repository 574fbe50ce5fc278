/** Who chose a setting, strongest first. */
export type SettingOrigin = 'flag' | 'environment' | 'project' | 'user';

/** A registry as it was chosen. */
export interface RegistrySetting {
  readonly kind: 'http' | 'folder';
  /** An http(s) URL with a slash at its end and without a query, or an absolute path. */
  readonly location: string;
  readonly origin: SettingOrigin;
}

/** Everything that was configured, every path absolute. */
export interface Settings {
  /** The folder that relative paths of the command line start from. */
  readonly cwd: string;
  /** The folder of the project; {@link cwd} where there is none. */
  readonly projectDir: string;
  /** The folder of the person's skills, configuration and credentials: `~/.agents`. */
  readonly skillsHome: string;
  readonly cacheDir: string;
  /** Further folders of skills, strongest first. */
  readonly skillDirs: readonly string[];
  readonly offline: boolean;
  /** The registry of every organisation that has none of its own. */
  readonly registry: RegistrySetting | undefined;
  /** Registries of single organisations. They win over {@link registry} whoever chose that one. */
  readonly registries: ReadonlyMap<string, RegistrySetting>;
  /** SKILLS_TOKEN. */
  readonly token: string | undefined;
}
