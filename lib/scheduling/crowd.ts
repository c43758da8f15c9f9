// How many clients may be in a state that costs the others: above it, one of the address with most is let go.
import { SharedRoom } from '../network/shared-room.js';
import type { Counted } from './holdings.js';

export interface Member {
  /** Where it is connected from. */
  readonly address: string;
  /** Its address without a port, or its network of IPv6. */
  readonly network: string;
  /** Cuts its connection. */
  cut(): void;
}

export class Crowd {
  private readonly room: SharedRoom<Member>;
  private refusals = 0;

  /**
   * @param state what those in it have in common, for the sentence.
   * @param letGo called with a sentence about each that was cut.
   */
  constructor(
    private readonly state: string,
    private readonly most: number,
    private readonly letGo: (sentence: string) => void,
  ) {
    this.room = new SharedRoom(most);
  }

  /** How many are in the state, and how many were let go. */
  get counts(): Counted {
    const crowd = this;
    return {
      get held() {
        return crowd.room.held;
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
      first.cut();
      this.letGo(`${first.address} was let go: more than ${this.most} clients ${this.state}, most of them from there`);
    }
  }
}
