// Why a port could not be opened, in one sentence.

/** `code` is the operating system's (`EADDRINUSE`), or `EINVAL` for a number that cannot be a port. */
export class ListenError extends Error {
  override readonly name = 'ListenError';
  constructor(
    message: string,
    readonly code: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Throws a ListenError unless `port` can be one. */
export function requirePort(port: number): void {
  if (Number.isInteger(port) && port >= 0 && port <= 65535) return;
  throw new ListenError(`a port is a whole number from 0 to 65535, got ${port}`, 'EINVAL');
}

const SENTENCES: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) => `port ${port} on ${host} is already in use`,
  EADDRNOTAVAIL: (host) => `${host} is not an address of this machine`,
  EACCES: (host, port) => `this process is not allowed to open port ${port} on ${host}`,
  ENOTFOUND: (host) => `the host name ${host} is not known`,
  EAI_AGAIN: (host) => `the host name ${host} could not be looked up`,
  ENODEV: (host) => `no network interface of this machine has the address ${host}`,
};

/** The error with a sentence for what the operating system reported. */
export function listenError(error: Error, host: string, port: number): ListenError {
  const code = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
  const sentence = SENTENCES[code]?.(host, port) ?? `port ${port} on ${host} could not be opened: ${error.message}`;
  return new ListenError(sentence, code, { cause: error });
}
