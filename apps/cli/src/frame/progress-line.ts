/** How far a long piece of work is. */
export interface Progress {
  /** What is being done: `Fetching`. */
  readonly label: string;
  /** Of what there are several: `packs`. */
  readonly unit?: string | undefined;
  readonly done?: number | undefined;
  readonly total?: number | undefined;
  /** Bytes so far. */
  readonly bytes?: number | undefined;
  /** Bytes in all, where that is known. */
  readonly totalBytes?: number | undefined;
}

/** What a line of progress needs besides the progress. */
export interface ProgressLineOptions {
  /** Bytes a second, where they can be told. */
  readonly rate: number | undefined;
  /** Since the work began. */
  readonly seconds: number;
  /** Of the terminal; the line is cut before its last column, so that it never wraps. */
  readonly columns: number;
}

/** One line: `Fetching 3 of 10 packs, 12.3 of 40.0 MiB, 5.1 MiB/s (4 s)`. */
export function progressLine(progress: Progress, { rate, seconds, columns }: ProgressLineOptions): string {
  const { label, unit = '', done, total, bytes, totalBytes } = progress;
  const parts: string[] = [];
  if (done !== undefined) {
    parts.push(`${label} ${done}${total === undefined ? '' : ` of ${total}`}${unit === '' ? '' : ` ${unit}`}`);
  } else parts.push(label);
  if (bytes !== undefined) {
    parts.push(totalBytes === undefined ? formatBytes(bytes) : `${formatBytes(bytes)} of ${formatBytes(totalBytes)}`);
  }
  if (rate !== undefined) parts.push(`${formatBytes(rate)}/s`);
  const line = `${parts.join(', ')} (${Math.floor(seconds)} s)`;
  return line.slice(0, Math.max(columns - 1, 0));
}

const units = ['KiB', 'MiB', 'GiB'] as const;

/** A number of bytes for people, in powers of 1,024: `512 B`, `1.5 KiB`, `40.0 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 'B';
  for (const next of units) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return unit === 'B' ? `${Math.round(value)} B` : `${value.toFixed(1)} ${unit}`;
}
