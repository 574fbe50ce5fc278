// PEP 3147 names the folder; what else lies in it, somebody put there.
const byProduct = /(?:^|\/)(?:__pycache__\/[^/\uFFFD]+\.py[co]|\.DS_Store|Thumbs\.db|desktop\.ini)$/u;

/**
 * Whether the file at a slash-separated path is one that programs make again by themselves: compiled Python, and what
 * Finder and Explorer remember of a folder. Nobody misses it when it goes with the skill it lies in.
 */
export function isByProduct(path: string): boolean {
  return byProduct.test(path);
}
