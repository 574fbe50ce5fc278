/** One step of a run, as a report shows it: what the transcript is made of. All texts are cleaned for a terminal. */
export interface RunStep {
  /** Of the event that it begins with, in the record of the run. */
  readonly seq: number;
  readonly kind: 'request' | 'model' | 'action' | 'approval' | 'skill' | 'answer' | 'problem';
  /** In a line: `run_script pdf scripts/pdf.mjs text report.pdf`. */
  readonly label: string;
  /** Milliseconds since the beginning of the trial. */
  readonly start: number;
  /** Milliseconds. */
  readonly duration: number;
  /** Whether it went well; `undefined` where that is no question. */
  readonly ok?: boolean | undefined;
  /** What was said, or came of it; at most 2,000 characters. */
  readonly detail?: string | undefined;
  /** Of a call of the model: tokens in and out. */
  readonly tokens?: readonly [input: number, output: number] | undefined;
  /** Of a call of the model: US dollars. */
  readonly cost?: number | undefined;
}
