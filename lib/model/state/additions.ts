// What clients have added to a state, and who: it stays in the simulation, and so it counts for them until it is removed.
import { type Asker, Shares } from './fair-share.js';
import type { Member } from './type.js';

export class Additions {
  readonly objects = new Shares();
  readonly bytes = new Shares();
  private readonly objectAskers = new Map<number, Asker>();
  private readonly members = new Map<Member, { readonly asker: Asker; readonly bytes: number }>();

  /** @param number of the object. */
  addObject(number: number, asker: Asker): void {
    this.objectAskers.set(number, asker);
    this.objects.add(asker, 1);
  }

  /** @param bytes that the component takes in the state. */
  addMember(member: Member, asker: Asker, bytes: number): void {
    this.members.set(member, { asker, bytes });
    this.bytes.add(asker, bytes);
  }

  /** Whether a client has added a component. */
  hasMember(member: Member): boolean {
    return this.members.has(member);
  }

  /** An object has been removed, by whomever. */
  removedObject(number: number): void {
    const asker = this.objectAskers.get(number);
    if (asker) this.objects.add(asker, -1);
    this.objectAskers.delete(number);
  }

  /** A component has been removed, by whomever. */
  removedMember(member: Member): void {
    const added = this.members.get(member);
    if (added) this.bytes.add(added.asker, -added.bytes);
    this.members.delete(member);
  }
}
