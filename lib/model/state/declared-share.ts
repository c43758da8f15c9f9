// A client's share of the memory that clients declare.
import { type Allocation, type Allocations, bytesOf, MOST_VARIABLE_BYTES, MOST_VARIABLES } from './allocations.js';
import { type Client, fairShare } from './fair-share.js';

/** What a client wants to declare. */
interface Wanted {
  readonly count: number;
  readonly bytes: number;
}

/**
 * Throws an Error if a client's share is too small.
 * @param isFreed whether memory will be freed.
 */
export function requireDeclaredShare(
  allocations: Allocations,
  client: Client,
  { count, bytes }: Wanted,
  isFreed: (one: Allocation) => boolean,
): void {
  const own = [...allocations.own].filter((one) => !isFreed(one));
  const counts = fairShare(
    client,
    MOST_VARIABLES,
    own.map(({ by }) => ({ client: by, amount: 1 })),
  );
  if (counts.has + count > counts.most) {
    allocations.counts.refusals++;
    const more = count === 1 ? 'one' : count;
    throw new Error(`a client may have ${counts.most} declared variables now, not ${more} more`);
  }
  const sizes = fairShare(
    client,
    MOST_VARIABLE_BYTES,
    own.map((one) => ({ client: one.by, amount: bytesOf(one) })),
  );
  if (sizes.has + bytes > sizes.most) {
    allocations.sizes.refusals++;
    throw new Error(`a client's declared variables may take ${sizes.most} bytes now, not ${sizes.has + bytes}`);
  }
}
