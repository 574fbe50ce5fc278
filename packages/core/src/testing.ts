export { fakeClock, type FakeClock } from './testing/fake-clock.js';
export { makePack, skillText, type MadePack, type MakePackPorts, type PackDescription } from './testing/make-pack.js';
export {
  createMemoryRegistry,
  type MemoryRegistry,
  type MemoryRegistryOptions,
  type MemoryRegistryPorts,
} from './testing/memory-registry.js';
export {
  modelAdapterContract,
  type MakeModelSubject,
  type ModelAdapterContractOptions,
  type ModelAdapterSubject,
} from './testing/model-adapter-contract.js';
export type { ModelAdapterContractPorts, ReplyBeside } from './testing/model-adapter-contract-case.js';
export {
  packRegistryContract,
  type ContractOptions,
  type ContractPorts,
  type PackRegistrySubject,
} from './testing/pack-registry-contract.js';
export {
  skillRegistryContract,
  type SkillRegistryContractOptions,
  type SkillRegistryContractPorts,
} from './testing/skill-registry-contract.js';
export type { SkillRegistrySubject } from './testing/skill-registry-contract-case.js';
export { contractSkillDigest, contractSkillFiles } from './testing/skill-registry-contract-files.js';
