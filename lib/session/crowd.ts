// How many clients may be in a state that costs the others: above it, one of the address with most is let go.
import { SharedRoom } from '../network/shared-room.js';
import type { Counted } from './account.js';

export interface Member {
  /** Its address without a port, or its network of IPv6. */
  readonly network: string;
  /** Ends its connection. */
  letGo(sentence: string): void;
}

export class Crowd {
  private readonly room: SharedRoom<Member>;
  private refusals = 0;

  /** @param state what those in it have in common, for the sentence. */
  constructor(
    private readonly state: string,
    private readonly most: number,
  ) {
    this.room = new SharedRoom(most);
  }

  /** How many are in the state, and how many were let go. */
  get counts(): Counted {
    const crowd = this;
    return {
      get held() {
        return crowd.room.heldBytes;
      },
      get refusals() {
        return crowd.refusals;
      },
    };
  }

  /** Notes whether a client is in the state; it must be noted as out of it when it closes. */
  note(member: Member, isIn: boolean): void {
    this.room.set(member, member.network, isIn ? 1 : 0);
    for (let first = this.room.nextToGo; first; first = this.room.nextToGo) {
      this.room.set(first, first.network, 0);
      this.refusals++;
      first.letGo(`more than ${this.most} clients ${this.state}, and its address had most of them`);
    }
  }
}
