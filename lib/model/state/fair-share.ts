// Shares of clients in a total that all of them use. After a client has gone, its share stays with its address.

/** The client that asks for something. */
export interface Client {
  /** Its IPv4 address or its network of IPv6. What its clients have taken counts for it, also after they have gone. */
  readonly address: string;
  /** Number of the client's session. */
  readonly session: number;
}

/** Who asks: a client, or the operator (the input file), to whom no shares apply. */
export type ClientOrOperator = Client | 'operator';

/** The client that asks, if it is one. */
export const clientOf = (by: ClientOrOperator | undefined): Client | undefined => (by === 'operator' ? undefined : by);

/** An amount that is taken, and by whom; `client` is undefined when it was not a client. */
export interface Taken {
  readonly client: Client | undefined;
  readonly amount: number;
}

/** How much of a total is taken by anybody, by the clients of an address, and by one of them. */
export interface Parts {
  readonly sum: number;
  readonly ofAddress: number;
  readonly has: number;
}

/** What is held of a total, and how often a client was refused more. */
export interface Figures {
  held: number;
  refusals: number;
}

/** The part of a total that the clients of one address may have together. */
export const PART_OF_AN_ADDRESS = 0.75;

/**
 * The most that a client may have of a total. A client may take half of what its address could still have, so that the
 * other half is left for others; an address may take three quarters of the total. A client that connects again gets no
 * more than what its address has left.
 */
export function mostOf(all: number, { sum, ofAddress, has }: Parts): number {
  const left = Math.min(all - sum, PART_OF_AN_ADDRESS * all - ofAddress);
  return Math.floor(Math.max(0, left + has) / 2);
}

/**
 * How much of a total a client has, and how much it may have at most.
 * @param all the total.
 */
export function fairShare(
  client: Client,
  all: number,
  taken: readonly Taken[],
): { readonly has: number; readonly most: number } {
  let [sum, ofAddress, has] = [0, 0, 0];
  for (const one of taken) {
    sum += one.amount;
    if (one.client?.address !== client.address) continue;
    ofAddress += one.amount;
    if (one.client.session === client.session) has += one.amount;
  }
  return { has, most: mostOf(all, { sum, ofAddress, has }) };
}

/** What clients have of one total, for amounts that are too many to be listed. */
export class Shares {
  private readonly byAddress = new Map<string, { amount: number; readonly byClient: Map<number, number> }>();
  /** What clients have together, and how often one was refused more. */
  figures: Figures = { held: 0, refusals: 0 };

  /**
   * Throws an Error if a client may not have so much more.
   * @param sum what is taken of the total, by clients or not.
   */
  require(client: Client, amount: number, { all, sum }: { readonly all: number; readonly sum: number }, words: Words) {
    const ofAddress = this.byAddress.get(client.address);
    const has = ofAddress?.byClient.get(client.session) ?? 0;
    const most = mostOf(all, { sum, ofAddress: ofAddress?.amount ?? 0, has });
    if (has + amount <= most) return;
    this.figures.refusals++;
    throw new Error(words(most, has + amount));
  }

  /** Counts an amount for a client; a negative one takes that back. */
  add({ address, session }: Client, amount: number): void {
    const { byClient, amount: before } = this.byAddress.get(address) ?? { amount: 0, byClient: new Map() };
    const now = (byClient.get(session) ?? 0) + amount;
    if (now > 0) byClient.set(session, now);
    else byClient.delete(session);
    if (byClient.size > 0) this.byAddress.set(address, { amount: before + amount, byClient });
    else this.byAddress.delete(address);
    this.figures.held += amount;
  }
}

/** The sentence of a refusal. */
type Words = (most: number, wanted: number) => string;
