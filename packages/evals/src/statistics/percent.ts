/** A share as per cent: `85.3 %`. Only what is all, or nothing, is called so: `> 99.9 %`, `< 0.1 %`. */
export function percent(share: number): string {
  const told = (share * 100).toFixed(1);
  if (told === '100.0' && share < 1) return '> 99.9 %';
  if (told === '0.0' && share > 0) return '< 0.1 %';
  return `${told} %`;
}
