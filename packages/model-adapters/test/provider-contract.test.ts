import { modelAdapterContract } from '@skillpack/core/testing';
import { describe, expect, test } from 'vitest';
import { send } from './conformance/protocol.js';
import { sayInForm } from './conformance/say-in-form.js';
import { startProvider } from './conformance/start-provider.js';
import { forms, subjects } from './conformance/subjects.js';

for (const { title, protocol, make } of subjects) {
  for (const [form, options] of forms) {
    for (const stream of [true, false]) {
      modelAdapterContract(
        async (reply) => {
          const provider = await startProvider(protocol.check, async (call, out) =>
            send(protocol, { call, out }, sayInForm(call, reply(call.text))),
          );
          return { model: make(provider.origin, { ...options, stream }), close: async () => provider.close() };
        },
        { describe, test, expect },
        { title: `PSA-29: ${title} over HTTP, ${form}, ${stream ? 'in pieces' : 'at once'}` },
      );
    }
  }
}
