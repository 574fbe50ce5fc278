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
  '.lefthook-local.yml',
  '.lefthook.yml',
  '.pre-commit-config.yaml',
  '.svn',
  'lefthook-local.yml',
  'lefthook.yml',
  // Agents: their skills, records, permissions, hooks and servers.
  '.agent',
  '.agents',
  '.aider.conf.yml',
  '.claude',
  '.codex',
  '.continue',
  '.cursor',
  '.gemini',
  '.kiro',
  '.mcp.json',
  '.opencode',
  '.roo',
  '.windsurf',
  'skillpack-lock.json',
  'skillpack.json',
  // Editors: tasks that start when a folder is opened.
  '.devcontainer',
  '.devcontainer.json',
  '.exrc',
  '.fleet',
  '.idea',
  '.nvim.lua',
  '.nvimrc',
  '.vscode',
  '.zed',
  // What a shell, a debugger or a package manager reads in the folder it is started in.
  '.direnv',
  '.envrc',
  '.gdbinit',
  '.lldbinit',
  '.mise',
  '.mise.toml',
  '.npmrc',
  '.pnpmfile.cjs',
  '.pnpmfile.mjs',
  '.rprofile',
  '.yarn',
  '.yarnrc',
  '.yarnrc.yml',
  'mise.toml',
];

/** Of a home that is in the workspace: what is protected in it, beside all that begins with a dot. Folded. */
export const protectedInHome: readonly string[] = ['appdata', 'bin', 'library'];
