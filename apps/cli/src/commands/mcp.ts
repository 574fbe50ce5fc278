import { SkillsError, skillScopes } from '@skillpack/core';
import { agentOptions } from '../agent/agent-options.js';
import { answer } from '../frame/answer.js';
import { defineCommand } from '../frame/command.js';

export const mcp = defineCommand({
  description:
    'Serves the skills that an agent would be offered here to a client of the Model Context Protocol, on standard input ' +
    'and output: by the extension for skills, as tools and as prompts. Runs until the client closes its end, or SIGTERM. ' +
    'In the configuration of Claude Code, Cursor and others: ' +
    '{"mcpServers": {"skills": {"command": "skills", "args": ["mcp"]}}}',
  arguments: {},
  options: {
    scope: { kind: 'choice', words: skillScopes, description: 'serve this scope alone' },
    root: { kind: 'value', placeholder: 'dir', description: 'serve this folder of skills alone' },
    trustProject: { ...agentOptions.trustProject, description: 'serve the skills of this project, this once' },
  },
  examples: [
    ['skills mcp', 'your own skills, those of SKILLS_DIRS, and those of a project that you trust'],
    ['skills mcp --cwd ~/work/site --trust-project', 'as if it were started in that project'],
    ['claude mcp add skills -- skills mcp', 'adds it to Claude Code, where skills is on the PATH and no alias'],
  ],
  async run(choice, app) {
    if (app.streams().globals.json) {
      throw new SkillsError('USAGE', 'skills mcp has no --json: its standard output is the protocol’s alone.');
    }
    await app.serveSkills(choice);
    return answer(null, () => '');
  },
});
