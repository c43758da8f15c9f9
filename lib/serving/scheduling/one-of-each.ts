// Something that one client of each network may do at a time.

export class OneOfEach {
  private readonly doing = new Map<string, object>();

  /** Whether it may begin, or goes on; false while another of its network does it. */
  enter(network: string, who: object): boolean {
    const other = this.doing.get(network);
    if (other !== undefined && other !== who) return false;
    this.doing.set(network, who);
    return true;
  }

  leave(network: string, who: object): void {
    if (this.doing.get(network) === who) this.doing.delete(network);
  }
}
