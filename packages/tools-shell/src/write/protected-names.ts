/**
 * Folders and files that nobody writes to, in any folder of a workspace: programs take from them what they run, or what
 * they allow, without that anybody is asked again. Folded, as `foldPath` has it.
 */
export const protectedNames: readonly string[] = [
  // Version control: hooks, and settings that name programs.
  '.git',
  '.githooks',
  '.gitmodules',
  '.hg',
  '.husky',
  '.jj',
  '.lefthook',
  '.pre-commit-config.yaml',
  '.svn',
  ...['lefthook', '.lefthook', 'lefthook-local', '.lefthook-local'].flatMap((name) =>
    ['json', 'jsonc', 'toml', 'yaml', 'yml'].map((ending) => `${name}.${ending}`),
  ),
  // Agents: their skills, records, permissions, hooks and servers.
  '.agent',
  '.agents',
  '.aider.conf.yml',
  '.amazonq',
  '.claude',
  '.codex',
  '.continue',
  '.crush.json',
  '.cursor',
  '.factory',
  '.gemini',
  '.kilocode',
  '.kiro',
  '.mcp.json',
  '.opencode',
  '.qwen',
  '.roo',
  '.trae',
  '.windsurf',
  'crush.json',
  'opencode.json',
  'opencode.jsonc',
  'skillpack-lock.json',
  'skillpack.json',
  // Editors: tasks that start when a folder is opened.
  '.devcontainer',
  '.devcontainer.json',
  '.exrc',
  '.fleet',
  '.gvimrc',
  '.helix',
  '.idea',
  '.nvim.lua',
  '.nvimrc',
  '.vimrc',
  '.vscode',
  '.zed',
  // What a shell, a debugger or a package manager reads in the folder it is started in.
  '.bundle',
  '.cargo',
  '.direnv',
  '.envrc',
  '.gdbinit',
  '.irbrc',
  '.lldbinit',
  '.mise',
  '.mise.local.toml',
  '.mise.toml',
  '.npmrc',
  '.pdbrc',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  '.pryrc',
  '.renviron',
  '.rprofile',
  '.yarn',
  '.yarnrc',
  '.yarnrc.yml',
  'bunfig.toml',
  'mise.local.toml',
  'mise.toml',
];

/** Of files, what makes a folder of any name a repository, in which Git runs what its `config` names. Folded. */
export const protectedFileNames: readonly string[] = ['head'];

/** Of a home that is in the workspace: what is protected in it, beside all that begins with a dot. Folded. */
export const protectedInHome: readonly string[] = ['appdata', 'bin', 'library'];
