// Changes on their way to the simulation count for their client, because a simulation may take long to answer.
import { isPacked } from '../../model/state/packed-numbers.js';
import type { Value } from '../../model/state/read.js';
import { Held } from '../../serving/scheduling/held.js';
import type { Session } from '../../serving/session/session.js';
import type { Answer, Write } from '../../source/source.js';

const BYTES_OF_VALUE = 8;

/** Sends a change to the simulation. Throws an OverBoundError when too much of this client is on its way. */
export function submitCounted(session: Session, writes: readonly Write[]): Promise<Answer> {
  const held = new Held(session.account);
  held.setAll({ changes: 1, keptBytes: writes.reduce((sum, { value }) => sum + bytesOf(value), 0) });
  const answer = session.submit({ kind: 'write', writes });
  const over = (): void => held.release();
  answer.then(over, over);
  return answer;
}

/** Of a single number nothing is counted. */
function bytesOf(value: Value): number {
  if (isPacked(value)) return value.byteLength;
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, item: Value) => sum + BYTES_OF_VALUE + bytesOf(item), 0);
}
