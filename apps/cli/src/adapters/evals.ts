// What is needed together is loaded together.
export { holdEvals } from '../evals/hold-evals.js';
