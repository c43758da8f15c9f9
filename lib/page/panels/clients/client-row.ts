// A client as the list shows it.
import type { Methods } from '../../../clients/browser/index.js';

/** One row of sim/clients. */
export type Client = Methods['sim/clients']['result']['clients'][number];

/** "ball.position, ball.velocity and 3 more"; a dash for a client that reads nothing. */
export function readsText({ reads, reads_count }: Pick<Client, 'reads' | 'reads_count'>): string {
  if (reads_count === 0) return '–';
  const shown = reads.slice(0, 2);
  const rest = reads_count - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
