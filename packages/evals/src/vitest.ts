export { evalSuite } from './suite/eval-suite.js';
export type { EvalSuiteOptions, EvalSuitePorts } from './suite/eval-suite-options.js';
