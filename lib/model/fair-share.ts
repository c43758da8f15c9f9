// Shares of clients in a total that all of them use. After a client has gone, its share stays with its address.

/** The client that asks for something. */
export interface Asker {
  /** Its host. What the clients of an address have taken counts for the address, also after they have gone. */
  readonly address: string;
  /** Number of the client's session. */
  readonly client: number;
}

/** Who asks: a client, or the operator (the input file), to whom no shares apply. */
export type AskedBy = Asker | 'operator';

/** An amount that is taken, and by whom; `asker` is undefined when it was not a client. */
export interface Taken {
  readonly asker: Asker | undefined;
  readonly amount: number;
}

/** The part of a total that the clients of one address may have together. */
const PART_OF_AN_ADDRESS = 0.75;

/**
 * How much of a total a client has, and how much it may have at most. A client may take half of what its address could
 * still have, so that the other half is left for others; an address may take three quarters of the total. A client that
 * connects again gets no more than what its address has left.
 * @param all the total.
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
