import type { ModelTable } from './model-table.js';

/** Windows and prices as their providers publish them. */
export const defaultModels: ModelTable = {};
