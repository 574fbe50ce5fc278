import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSkill } from './make-skill.js';
import { command, createWorld, finished, type World } from './run-skills.js';

const withoutStrace = spawnSync('strace', ['true']).status !== 0;

let world: World;
let registry: string;
let source: string;
let marker: string;

beforeEach(() => {
  world = createWorld();
  registry = world.path('registry');
  marker = world.path('it-ran');
  const touch = `#!/bin/sh\ntouch '${marker}'\n`;
  const script = `require('fs').writeFileSync(${JSON.stringify(marker)}, '')`;
  source = makeSkill(world.path('source', 'tool'), {
    frontMatter: [
      'name: tool',
      'description: A tool. Use it when somebody asks for it.',
      `metadata:`,
      `  run: "$(touch '${marker}')"`,
      `  code: "\${${script.replaceAll('"', "'")}}"`,
    ].join('\n'),
    body: `!\`touch '${marker}'\`\n\n\`\`\`js\n${script}\n\`\`\`\n`,
    files: {
      'scripts/install.sh': touch,
      'scripts/postinstall': touch,
      'package.json': JSON.stringify({
        scripts: { preinstall: `sh scripts/install.sh`, postinstall: 'sh scripts/install.sh' },
      }),
      'hooks/post-checkout': touch,
      'setup.py': `open(${JSON.stringify(marker)}, 'w')\n`,
      Makefile: `all:\n\ttouch '${marker}'\n`,
    },
    pack: {
      name: 'acme/tool',
      version: '1.0.0',
      scripts: { postinstall: 'sh scripts/install.sh' },
      requires: { bins: ['sh'] },
    },
  });
  chmodSync(`${source}/hooks/post-checkout`, 0o755);
  // Front matter that a careless reader takes for code.
  for (const [name, text] of Object.entries({
    js: `---js\n${script}\n({ name: 'js', description: 'x' })\n---\n`,
    yaml: `---\nname: yaml\ndescription: !!js/function "function () { ${script.replaceAll('"', "'")} }"\n---\n`,
  })) {
    writeFileSync(`${makeSkill(world.path('careless', name))}/SKILL.md`, text);
  }
});
afterEach(() => world.remove());

const lines: readonly (readonly string[])[] = [
  ['lint', '../../careless', '../../source/tool'],
  ['publish', '../../source/tool'],
  ['install', 'acme/tool'],
  ['verify'],
  ['list', '--root', '../../careless'],
  ['inspect', 'tool', '--body'],
  ['update'],
  ['doctor', '--repair'],
  ['uninstall', 'tool', '--backup'],
  ['install', '../../source/tool'],
];

test('nothing that is in a pack is run or evaluated by reading, publishing or installing it', async () => {
  for (const words of lines) {
    const { exitCode, stderr } = await world.run(words, { env: { SKILLS_REGISTRY: registry } });
    if (words[0] !== 'lint') expect(exitCode, `${words.join(' ')}: ${stderr}`).toBe(0);
    expect(existsSync(marker), words.join(' ')).toBe(false);
  }
});

test.skipIf(withoutStrace)(
  'no command that reads or installs a pack starts a program',
  { timeout: 120_000 },
  async () => {
    for (const words of lines) {
      const trace = world.path('trace');
      const child = spawn(
        'strace',
        ['-f', '-qq', '-e', 'trace=execve,execveat', '-o', trace, process.execPath, command, ...words],
        {
          cwd: world.project,
          env: { PATH: process.env['PATH'], HOME: world.home, SKILLS_REGISTRY: registry },
          stdio: ['ignore', 'pipe', 'pipe'],
        },
      );
      const { exitCode, stderr } = await finished(child);
      if (words[0] !== 'lint') expect(exitCode, `${words.join(' ')}: ${stderr}`).toBe(0);
      expect(readFileSync(trace, 'utf8').match(/exec/gu), words.join(' ')).toHaveLength(1);
    }
  },
);
