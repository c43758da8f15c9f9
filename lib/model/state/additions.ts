// What clients have added to a state, and who: it stays in the simulation, and so it counts for them until it is removed.
import { type Client, Shares } from './fair-share.js';
import type { Member } from './type.js';

export class Additions {
  readonly objects = new Shares();
  readonly bytes = new Shares();
  private readonly clientsOfObjects = new Map<number, Client>();
  private readonly members = new Map<Member, { readonly client: Client; readonly bytes: number }>();

  /** @param number of the object. */
  addObject(number: number, client: Client): void {
    this.clientsOfObjects.set(number, client);
    this.objects.add(client, 1);
  }

  /** @param bytes that the component takes in the state. */
  addMember(member: Member, client: Client, bytes: number): void {
    this.members.set(member, { client, bytes });
    this.bytes.add(client, bytes);
  }

  /** Whether a client has added a component. */
  hasMember(member: Member): boolean {
    return this.members.has(member);
  }

  /** An object has been removed, by whomever. */
  removedObject(number: number): void {
    const client = this.clientsOfObjects.get(number);
    if (client) this.objects.add(client, -1);
    this.clientsOfObjects.delete(number);
  }

  /** A component has been removed, by whomever. */
  removedMember(member: Member): void {
    const added = this.members.get(member);
    if (added) this.bytes.add(added.client, -added.bytes);
    this.members.delete(member);
  }
}
