// How a session wants its lists: as text or as bytes, and how.

export interface ListFormat {
  readonly form: 'ascii' | 'binary';
  /** Trick: var_binary, or var_binary_nonames. Text carries no names. */
  readonly withNames: boolean;
  /** Trick: var_byteswap; big-endian. Means nothing for text. */
  readonly isByteSwapped: boolean;
}

/** How a session starts. */
export const INITIAL_FORMAT: ListFormat = { form: 'ascii', withNames: true, isByteSwapped: false };
