// Joins the messages of one list, which Trick splits at 8192 bytes, and gives each value its name.
import { decodeField, type Field } from './ascii-decoder.js';
import { type Decoded, decodeBinary } from './binary-decoder.js';
import type { Message } from './message-splitter.js';
import { type TrickType, typeOfCode } from './trick-type.js';

/** Trick's pseudo variable: the simulation time of the copy in seconds. Subscriptions put it first. */
export const TIME = 'time';

export interface ListEntry {
  readonly name: string;
  readonly units?: string | undefined;
  /** Known from a binary reply. */
  readonly type?: TrickType | undefined;
}

const TEXT = typeOfCode(3);
const UNSIGNED_CHAR = 2;

/** The type of a variable's ASCII field, in which arrays of char and unsigned char are text. */
export function fieldTypeOf(decoded: Decoded | undefined): TrickType | undefined {
  const isText = typeof decoded?.value === 'string' || (decoded?.type.code === UNSIGNED_CHAR && decoded.elements > 1);
  return isText ? TEXT : decoded?.type;
}

const MISSING: Field = { value: undefined, units: undefined };

/** The fields of a line, in the order of `variables`; undefined when it has more or fewer of them. */
export function fieldsOfLine(text: string, variables: readonly ListEntry[]): Field[] | undefined {
  const fields = text.split('\t');
  if (fields.length !== variables.length) return undefined;
  return fields.map((field, index) => {
    const { name, units, type } = variables[index] as ListEntry;
    return decodeField(field, type, units !== undefined || name === TIME);
  });
}

/** The variables of binary messages by name; those that fit no message have no entry. */
export function decodedByName(messages: readonly Message[], indicator: number): Map<string, Decoded> {
  const decoded = new Map<string, Decoded>();
  for (const message of messages) {
    if (message.kind !== 'binary' || message.indicator !== indicator) continue;
    for (const variable of decodeBinary(message)) decoded.set(variable.name, variable);
  }
  return decoded;
}

/** Cyclic messages of a list that starts with `time`, as one array of fields a cycle. */
export class ListAssembler {
  private partial = new Map<string, Decoded>();
  private readonly distinctNames: number;

  /** @param leftOut names of values too large for a binary message: they never come. */
  constructor(
    private readonly variables: readonly ListEntry[],
    leftOut: ReadonlySet<string> = new Set(),
  ) {
    const names = variables.map(({ name }) => name).filter((name) => !leftOut.has(name));
    this.distinctNames = new Set(names).size;
  }

  /** The lists that are complete now: none, one, or two when the next list began before the last one was complete. */
  take(message: Message): Field[][] {
    if (message.kind === 'line') {
      const fields = fieldsOfLine(message.text, this.variables);
      return fields ? [fields] : [];
    }
    return message.kind === 'binary' ? this.takeBinary(decodeBinary(message)) : [];
  }

  private takeBinary(decoded: readonly Decoded[]): Field[][] {
    const lists: Field[][] = [];
    // The last list never became complete: a value has grown too large for a message, or a datagram was lost.
    if (decoded[0]?.name === TIME && this.partial.size > 0) lists.push(this.release());
    for (const variable of decoded) this.partial.set(variable.name, variable);
    if (this.partial.size >= this.distinctNames) lists.push(this.release());
    return lists;
  }

  private release(): Field[] {
    const { partial } = this;
    this.partial = new Map();
    return this.variables.map(({ name }) => {
      const decoded = partial.get(name);
      return decoded ? { value: decoded.value, units: undefined } : MISSING;
    });
  }
}
