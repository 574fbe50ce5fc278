import type { DescribedPack } from '../author/describe-pack.js';
import type { Reporter } from '../frame/reporter.js';

/** Tells of everything found about a folder that was packed: warnings always, the rest with `--verbose`. */
export function warnOfPack({ diagnostics, ignored }: DescribedPack, reporter: Reporter): void {
  for (const { severity, path, line, message, fix } of diagnostics) {
    const text = `${path}${line === undefined ? '' : `:${line}`}: ${message} ${fix}`;
    if (severity === 'info') reporter.detail(text);
    else reporter.warn(text);
  }
  for (const path of ignored) reporter.detail(`left out: ${path}`);
}
