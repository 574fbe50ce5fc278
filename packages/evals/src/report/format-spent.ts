/** US dollars, with as many places as say something: `$0.0042`, `$1.27`. That no price is known does not say that it is free. */
export function formatCost(cost: number | undefined): string {
  if (cost === undefined) return 'price not known';
  if (cost === 0) return '$0';
  if (cost < 0.000_1) return '< $0.0001';
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`;
}

/** Milliseconds, as a person says them: `12 ms`, `3.4 s`, `2 min 5 s`, `3 h 12 min`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}

/** A number with its thousands apart, the same on every machine: `18,400`. */
export function formatNumber(number: number): string {
  const [whole = '', ...fraction] = String(number).split('.');
  return [whole.replaceAll(/\B(?=(?:\d{3})+(?!\d))/gu, ','), ...fraction].join('.');
}
