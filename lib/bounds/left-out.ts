// How often a bound was met at which something is left out, cut, forgotten or put off, and nobody is refused; for /metrics.

/** The bounds, by their names in /metrics; docs/limits.md says what each is. */
const BOUNDS = [
  'checkpoint_rows',
  'client_reads',
  'client_rows',
  'completed_items',
  'completed_text',
  'connection_rows',
  'console_text',
  'counted_addresses',
  'early_messages',
  'explained_aliases',
  'explained_names',
  'expression_values',
  'history_gaps',
  'idle_event_sessions',
  'kept_messages',
  'listed_files',
  'log_lines',
  'logged_names',
  'procedure_calls',
  'recording_rows',
  'redeclared_values',
  'remembered_clients',
  'replayed_messages',
  'search_names',
  'search_words',
  'searched_variables',
  'shown_events',
  'spare_copies',
  'suggested_names',
  'tag_characters',
  'unanswered_requests',
  'value_characters',
] as const;
export type LeftOut = (typeof BOUNDS)[number];

const counts = new Map<LeftOut, number>(BOUNDS.map((bound) => [bound, 0]));

/** Of all servers of this thread, because some of what meets a bound knows of none. */
export const leftOutCounts: ReadonlyMap<LeftOut, number> = counts;

export function noteLeftOut(bound: LeftOut): void {
  counts.set(bound, (counts.get(bound) ?? 0) + 1);
}
