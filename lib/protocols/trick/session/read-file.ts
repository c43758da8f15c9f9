// How a session reads a file that its client asks for. Trick: send_file

/**
 * Reads a file that clients may have; undefined when there is no such file. `take` is called with its bytes before any memory
 * is taken; when it throws, nothing is read. `turn` is awaited between pieces; when it rejects, no more is read.
 */
export type ReadFile = (
  name: string,
  take: (bytes: number) => void,
  turn: () => Promise<void>,
) => Promise<Uint8Array | undefined> | undefined;
