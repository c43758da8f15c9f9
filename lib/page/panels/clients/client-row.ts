// A client as the list shows it.

/** One row of sim/clients. */
export interface Client {
  readonly id: string | number;
  readonly protocol: string;
  readonly transport: string;
  readonly address: string;
  readonly tag: string;
  readonly is_me: boolean;
  readonly reads: readonly string[];
  readonly reads_count: number;
  readonly sent_bytes: number;
  readonly dropped_messages: number;
}

/** "ball.position, ball.velocity and 3 more"; a dash for a client that reads nothing. */
export function readsText({ reads, reads_count }: Pick<Client, 'reads' | 'reads_count'>): string {
  if (reads_count === 0) return '–';
  const shown = reads.slice(0, 2);
  const rest = reads_count - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
