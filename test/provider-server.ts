// The servers by which adapters of models are tested, for tests of what is made of the adapters.
export { chat, messages, send, type Protocol } from '../packages/model-adapters/test/conformance/protocol.js';
export type { ProviderCall } from '../packages/model-adapters/test/conformance/provider-call.js';
export type { ProviderOutput } from '../packages/model-adapters/test/conformance/provider-output.js';
export { sayInForm } from '../packages/model-adapters/test/conformance/say-in-form.js';
export { startProvider, type Provider } from '../packages/model-adapters/test/conformance/start-provider.js';
