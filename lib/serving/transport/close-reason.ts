// Why a connection ended, in one sentence.

/** A sentence for an error that ended a connection. */
export function closeReason(error: NodeJS.ErrnoException): string {
  if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return 'the peer reset the connection';
  if (error.code === 'ETIMEDOUT') return 'the peer stopped answering';
  return `the connection failed: ${error.message}`;
}
