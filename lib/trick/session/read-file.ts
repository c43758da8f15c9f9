// How a session reads a file that its client asks for. Trick: send_file

/**
 * Reads a file that clients may have, in pieces; undefined when there is no such file. `take` is called with its bytes
 * before any memory is taken; when it throws, nothing is read.
 */
export type ReadFile = (
  name: string,
  take: (bytes: number) => void,
) => Generator<void, Uint8Array | undefined> | undefined;
