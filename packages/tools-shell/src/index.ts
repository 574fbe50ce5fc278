export { createCommandTool, type CommandToolOptions, type CommandToolPorts } from './command/command-tool.js';
export { createHttpTool } from './http/http-tool.js';
export type { HttpToolOptions, HttpToolPorts } from './http/http-tool-options.js';
export type { RunnerOptions } from './process/fill-runner-options.js';
export { createProcessRunner, type ProcessRunnerOptions, type ProcessRunnerPorts } from './process/process-runner.js';
export { type Environment } from './process/script-environment.js';
export { createReadTools, type ReadToolsOptions, type ReadToolsPorts } from './read/read-tools.js';
export {
  findSandbox,
  type FindSandboxOptions,
  type FindSandboxPorts,
  type SandboxName,
  type SandboxProblem,
  type SandboxSearch,
} from './sandbox/find-sandbox.js';
export type { ConfinedProgram, ConfinedStart, Sandbox, SandboxLimits, ShownPlace } from './sandbox/sandbox.js';
export {
  abilityWords,
  sandboxAbilities,
  type SandboxAbility,
  type SandboxAbilityId,
} from './sandbox/sandbox-abilities.js';
export type { UsageLimits } from './sandbox/usage-meter.js';
export { createWriteTools, type WriteToolsOptions, type WriteToolsPorts } from './write/write-tools.js';
