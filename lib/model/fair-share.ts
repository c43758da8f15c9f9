// Shares of what there is for all clients, where what one has made stays when it has gone.

/** A client, as shares know it. */
export interface Asker {
  /** What its clients have made is the share of an address, also when they have gone. */
  readonly address: string;
  /** Number of the client's session. */
  readonly client: number;
}

/** A client, or the operator, whose input file has no share of what clients may have. */
export type AskedBy = Asker | 'operator';

/** An amount that is taken, and who has taken it; undefined when no client that is known has. */
export interface Taken {
  readonly asker: Asker | undefined;
  readonly amount: number;
}

/** The rest is for other addresses. */
const PART_OF_AN_ADDRESS = 0.75;

/**
 * How much a client has, and how much it may have at most: as much as it leaves free for others of what its address may
 * have. So one client cannot use up what others need, an address not what other addresses need, and whoever connects
 * anew has what the address has left.
 * @param all what there is.
 */
export function fairShare(
  asker: Asker,
  all: number,
  taken: readonly Taken[],
): { readonly has: number; readonly most: number } {
  let [sum, ofAddress, has] = [0, 0, 0];
  for (const one of taken) {
    sum += one.amount;
    if (one.asker?.address !== asker.address) continue;
    ofAddress += one.amount;
    if (one.asker.client === asker.client) has += one.amount;
  }
  const left = Math.min(all - sum, PART_OF_AN_ADDRESS * all - ofAddress);
  return { has, most: Math.floor(Math.max(0, left + has) / 2) };
}
