export { bullmqExecutor, type BullmqExecutorOptions } from './queue/bullmq-executor.js';
export { startBullmqWorker, type BullmqWorker, type BullmqWorkerOptions } from './queue/bullmq-worker.js';
export type { QueuePlace } from './queue/queue-options.js';
