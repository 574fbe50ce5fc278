import { bullmqExecutor } from '../../src/bullmq.js';
import { madePlan } from './made-plan.js';

// Hands out the jobs of a made plan, and prints the case of each result that it collects.
const [url = '', queue = '', name = '', count = '0'] = process.argv.slice(2);
const { jobs } = madePlan(name, Number(count));
const never = async (): Promise<never> => {
  throw new Error('It is done elsewhere.');
};
const { signal } = new AbortController();
for await (const result of bullmqExecutor({ connection: url, queue }).execute(jobs, never, { signal })) {
  process.stdout.write(`${result.case}\n`);
}
