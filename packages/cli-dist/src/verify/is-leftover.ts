// What running or looking at a skill leaves.
const leftover = /(?:^|\/)(?:__pycache__\/.*|\.DS_Store|Thumbs\.db|desktop\.ini|[^/]*\.pyc)$/u;

/** Whether nobody misses the file at a slash-separated path when it goes with the skill it lies in. */
export function isLeftover(path: string): boolean {
  return leftover.test(path);
}
