export type { AiApproval } from './ai-sdk/ask-for-approval.js';
export { skillAgentSettings, type AiAgentSettings, type AiConversation } from './ai-sdk/skill-agent-settings.js';
export {
  skillTools,
  type AiSkillPorts,
  type AiSkills,
  type AiTool,
  type AiTools,
  type AiToolSet,
} from './ai-sdk/skill-tools.js';
export type { ShownResult } from './session/shown-result.js';
export type { SharedSkillOptions, SkillOptions, SkillPorts, ToolRisk } from './session/skill-ports.js';
