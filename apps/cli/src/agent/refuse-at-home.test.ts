import type { ApprovalRequest } from '@skillpack/core';
import { expect, test } from 'vitest';
import { refuseAtHome } from './refuse-at-home.js';

const script: ApprovalRequest = {
  run: 'one',
  id: 'a1',
  action: 'run_script',
  tool: 'run_script',
  risk: 'medium',
  skill: { name: 'greet', location: '/skills/greet' },
  summary: 'a.sh',
  input: {},
  confinement: 'bubblewrap',
};

test('in a home folder nobody is asked about what a sandbox would refuse after the yes, and is told once how it would run', async () => {
  const told: string[] = [];
  const asked: string[] = [];
  const approver = {
    decide: async ({ tool }: ApprovalRequest) => {
      asked.push(tool);
      return { kind: 'approved', scope: 'once', by: 'person' } as const;
    },
  };
  const ports = { programs: ['run_command'], warn: (message: string) => void told.push(message) };
  const home = refuseAtHome(approver, { ...ports, atHome: true });
  const command = { ...script, action: 'call_tool', tool: 'run_command' } as const;
  for (const request of [script, command]) {
    expect(await home.decide(request, {})).toMatchObject({ kind: 'denied', by: 'the sandbox' });
  }
  expect([asked, told]).toEqual([[], [expect.stringContaining('--sandbox off')]]);
  for (const request of [
    { ...script, confinement: undefined },
    { ...command, tool: 'write_file' },
  ]) {
    expect(await home.decide(request, {})).toMatchObject({ kind: 'approved' });
  }
  expect(await refuseAtHome(approver, { ...ports, atHome: false }).decide(script, {})).toMatchObject({
    kind: 'approved',
  });
});
