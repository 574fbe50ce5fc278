// Both speak the same protocol, by the same library.
export { openaiCompatibleModels } from '../models/openai-compatible-models.js';
export { openaiModels } from '../models/openai-models.js';
