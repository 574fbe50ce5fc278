export type { AiTool, AiTools, AiToolSet } from './ai-sdk/ai-tool.js';
export type { AiApproval } from './ai-sdk/ask-for-approval.js';
export { skillAgentSettings, type AiAgentSettings, type AiConversation } from './ai-sdk/skill-agent-settings.js';
export { skillTools, type AiSkillPorts, type AiSkills } from './ai-sdk/skill-tools.js';
export type { ShownResult } from './session/shown-result.js';
export type { SharedSkillOptions, SkillOptions, SkillPorts, ToolRisk } from './session/skill-ports.js';
