import { startBullmqWorker } from '../../src/bullmq.js';
import { madePlan, madeResult } from './made-plan.js';

// Works on the jobs of a made plan: prints the case of each that it begins. The cases that are named never end.
const [url = '', queue = '', name = '', count = '0', ...endless] = process.argv.slice(2);
const worker = await startBullmqWorker({
  connection: url,
  queue,
  plan: madePlan(name, Number(count)),
  lock: 1000,
  concurrency: 1,
  work: async (job) => {
    process.stdout.write(`${job.case}\n`);
    if (endless.includes(job.case)) await new Promise(() => undefined);
    return madeResult(job, { answer: 'from the process' });
  },
});
process.stdout.write('ready\n');
await worker.finished;
