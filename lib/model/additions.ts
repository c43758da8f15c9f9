// What clients have added to a state, and who: it stays in the simulation, and so it counts for them until it is removed.
import { type Asker, Shares } from './fair-share.js';
import type { Member } from './type.js';

/** An object by its number, or a component. */
type Added = number | Member;

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

  /** Something has been removed, by whomever. */
  removed(added: Added): void {
    const asker = typeof added === 'number' ? this.objectAskers.get(added) : undefined;
    if (asker) this.objects.add(asker, -1);
    this.objectAskers.delete(added as number);
    const member = typeof added === 'number' ? undefined : this.members.get(added);
    if (member) this.bytes.add(member.asker, -member.bytes);
    this.members.delete(added as Member);
  }
}
