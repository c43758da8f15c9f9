// The format in which a session gets its lists.

export interface ListFormat {
  readonly form: 'ascii' | 'binary';
  /** Whether binary messages carry names; text never does. Trick: var_binary, var_binary_nonames */
  readonly withNames: boolean;
  /** Whether binary messages are big-endian; text is the same either way. Trick: var_byteswap */
  readonly isByteSwapped: boolean;
}

/** The format of a new session. */
export const INITIAL_FORMAT: ListFormat = { form: 'ascii', withNames: true, isByteSwapped: false };
