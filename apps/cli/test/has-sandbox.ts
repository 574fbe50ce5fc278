import { findSandbox } from '@skillpack/tools-shell';

/** Whether scripts can run in a sandbox on this machine. */
export const hasSandbox =
  (await findSandbox({ environment: process.env }, { workspace: import.meta.dirname })).sandbox !== undefined;
