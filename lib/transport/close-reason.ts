// Why a connection ended, in one sentence.

/** A sentence for what ended a connection from outside. */
export function closeReason(error: NodeJS.ErrnoException): string {
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return 'the peer reset the connection';
  if (error.code === 'ETIMEDOUT') return 'the peer stopped answering';
  return `the connection failed: ${error.message}`;
}
