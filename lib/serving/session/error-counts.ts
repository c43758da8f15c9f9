// How often clients got an error, for /metrics.

/**
 * The codes of JSON-RPC and of Bevy's protocol; `exception` for those of Trick's blocks, `warning` for warnings and errors in the log
 * about Trick's clients; `krpc` for the errors of kRPC.
 */
export type ErrorCode = number | 'exception' | 'warning' | 'krpc';

export class ErrorCounts {
  private readonly counts = new Map<ErrorCode, number>();

  get byCode(): ReadonlyMap<ErrorCode, number> {
    return this.counts;
  }

  readonly note = (code: ErrorCode): void => {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1);
  };
}
