// Types on their way to another thread: each is sent once, and later told by its number. Structures are told apart by
// their identity, so the types of two messages must not become two there.
import type { Member, Type } from '../../model/state/type.js';

/** A type whose parts are numbers of types: those in the same message, or sent before. */
export type PackedType = Readonly<Record<string, unknown>>;
export type PackedMember = Omit<Member, 'type'> & { readonly type: number };

/** A type on its way back: the number of one that was sent, or one that is made of such. */
export type ReturnedType = number | PackedType;

/** The side whose types are sent. */
export class TypeSender {
  private readonly types: Type[] = [];
  private readonly numbers = new Map<Type, number>();
  private unsent: PackedType[] = [];

  get count(): number {
    return this.types.length;
  }

  /** The number of a type; it is among the next `takeUnsent` if it is new. */
  numberOf(type: Type): number {
    const known = this.numbers.get(type);
    if (known !== undefined) return known;
    const number = this.types.push(type) - 1;
    this.numbers.set(type, number);
    // A structure may hold pointers to itself, so its place is taken before its parts are looked at.
    const place = this.unsent.push({}) - 1;
    this.unsent[place] = this.pack(type);
    return number;
  }

  packMember(member: Member): PackedMember {
    return { ...member, type: this.numberOf(member.type) };
  }

  takeUnsent(): readonly PackedType[] {
    return this.unsent.splice(0);
  }

  /** The type that came back. */
  returned(type: ReturnedType): Type {
    if (typeof type === 'number') return this.types[type] as Type;
    const { element, target } = type as { readonly element?: ReturnedType; readonly target?: ReturnedType };
    if (element !== undefined) return { ...type, element: this.returned(element) } as unknown as Type;
    if (target !== undefined) return { ...type, target: this.returned(target) } as unknown as Type;
    return type as unknown as Type;
  }

  private pack(type: Type): PackedType {
    if (type.kind === 'array' || type.kind === 'sequence') return { ...type, element: this.numberOf(type.element) };
    if (type.kind === 'pointer') return { ...type, target: this.numberOf(type.target) };
    if (type.kind === 'struct') return { ...type, members: type.members.map((member) => this.packMember(member)) };
    return { ...type };
  }
}

interface Parts {
  element?: unknown;
  target?: unknown;
  members?: unknown;
}

/** The side that gets them. */
export class TypeReceiver {
  private readonly types: Type[] = [];
  private readonly numbers = new Map<Type, number>();

  take(packed: readonly PackedType[]): void {
    const made = packed.map((one) => ({ ...one }) as unknown as Type);
    for (const type of made) this.numbers.set(type, this.types.push(type) - 1);
    for (const type of made) {
      const parts = type as Parts;
      if ('element' in type) parts.element = this.at(type.element as unknown as number);
      else if ('target' in type) parts.target = this.at(type.target as unknown as number);
      else if ('members' in type)
        parts.members = (type.members as unknown as readonly PackedMember[]).map((member) => this.member(member));
    }
  }

  at(number: number): Type {
    return this.types[number] as Type;
  }

  member(packed: PackedMember): Member {
    return { ...packed, type: this.at(packed.type) };
  }

  /** A type for the way back; it may be made of sent ones here. */
  packed(type: Type): ReturnedType {
    const number = this.numbers.get(type);
    if (number !== undefined) return number;
    if (type.kind === 'array' || type.kind === 'sequence') return { ...type, element: this.packed(type.element) };
    if (type.kind === 'pointer') return { ...type, target: this.packed(type.target) };
    return { ...type };
  }
}
