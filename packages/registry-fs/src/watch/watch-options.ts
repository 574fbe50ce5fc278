/** How changes are noticed. All times are in milliseconds. */
export interface WatchOptions {
  /**
   * `events`: the system tells of changes; `poll`: the roots are looked at again and again. Events give way to looking
   * on disks of other machines, which tell nothing, and where the system watches no more folders.
   *
   * @default 'events'
   */
  readonly mode?: 'events' | 'poll' | undefined;
  /** How long it has to be quiet before a change is told of; after ten times that it is told of anyway. @default 200 */
  readonly debounce?: number | undefined;
  /** How long it is from one look to the next; longer for roots that take long to look at. @default 1000 */
  readonly pollInterval?: number | undefined;
  /** As `pollInterval`, where the system tells of changes: some of them escape it. @default 30000 */
  readonly checkInterval?: number | undefined;
  /** How many folders the system is asked to watch. @default 8192 */
  readonly maxWatches?: number | undefined;
}
