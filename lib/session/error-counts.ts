// How often clients got an error, for /metrics: by the codes of JSON-RPC, and `exception` for those of Trick's blocks.

export class ErrorCounts {
  private readonly counts = new Map<number | 'exception', number>();

  get byCode(): ReadonlyMap<number | 'exception', number> {
    return this.counts;
  }

  readonly note = (code: number | 'exception'): void => {
    this.counts.set(code, (this.counts.get(code) ?? 0) + 1);
  };
}
