import { expect, test, vi } from 'vitest';
import { anthropic } from '../src/anthropic/anthropic.js';
import { openaiCompatible } from '../src/openai-compatible/openai-compatible.js';
import { ask } from './conformance/ask.js';
import { chat, send } from './conformance/protocol.js';
import { startProvider } from './conformance/start-provider.js';

// Nothing else may load @ai-sdk/anthropic in this file: the package looks at the variable once.
test('PSA-29: a variable that the package of one provider cannot bear spoils no other provider, and is named', async () => {
  vi.stubEnv('ANTHROPIC_BASE_URL', '');
  const said = { parts: [{ kind: 'text', text: '{}' }] } as const;
  const provider = await startProvider(chat.check, async (call, out) => send(chat, { call, out }, said));
  try {
    const other = openaiCompatible({ baseURL: `${provider.origin}/v1`, model: 'm', structured: 'text' });
    expect((await ask(other)).answer?.text).toBe('{}');
    const { error } = await ask(anthropic({ apiKey: 'k', model: 'm' }));
    expect(error).toMatchObject({
      code: 'INVALID_CONFIG',
      hint: expect.stringContaining('ANTHROPIC_BASE_URL') as unknown,
    });
  } finally {
    vi.unstubAllEnvs();
    await provider.close();
  }
});
