// What a client says last in a session.
import type { Target } from './link.js';

/**
 * Trick does not notice the end of a session that is paused, empty or binary; it keeps its thread and its socket. Over
 * UDP a session outlives its clients, so the last one stops its cyclic messages.
 */
export const farewell = ({ transport }: Pick<Target, 'transport'>): string =>
  transport === 'udp' ? 'trick.var_pause()\ntrick.var_clear()\n' : 'trick.var_exit()\n';
