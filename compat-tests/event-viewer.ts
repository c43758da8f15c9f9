// A client that behaves as Trick's event viewer (MTV): one socket, binary messages without names, each read in one
// call.
import { demand } from './demand.js';
import { GuiClient } from './gui-client.js';

/** Longer messages are written in pieces, which the viewer does not join. */
const LONGEST_MESSAGE = 8192;

/** Trick's type codes that the viewer reads here. */
export const Code = {
  char: 1,
  text: 3,
  int: 6,
  unsignedInt: 7,
  double: 11,
  longLong: 14,
  bool: 17,
  enumeration: 21,
} as const;

export type Value = number | bigint | string | boolean;
export type Typed = readonly [code: number, value: Value];

function decode(code: number, bytes: Buffer): Value {
  switch (code) {
    case Code.text:
      return bytes.subarray(0, -1).toString();
    case Code.char:
      return bytes.readInt8();
    case Code.enumeration:
    case Code.int:
      return bytes.readInt32LE();
    case Code.unsignedInt:
      return bytes.readUInt32LE();
    case Code.double:
      return bytes.readDoubleLE();
    case Code.longLong:
      return bytes.readBigInt64LE();
    case Code.bool:
      return bytes.readUInt8() !== 0;
    default:
      throw new Error(`the viewer does not read type ${code}`);
  }
}

const EVENT = [
  'active',
  'fired_time',
  'fired_count',
  'ran_time',
  'ran_count',
  'manual',
  'manual_fired',
  'hold',
  'added',
];
const CONDITION = ['enabled', 'fired_time', 'fired_count', 'hold'];
const ACTION = ['enabled', 'ran_time', 'ran_count'];

export class EventViewer {
  private constructor(private readonly client: GuiClient) {}

  static async open(port: number): Promise<EventViewer> {
    const client = await GuiClient.connect(port);
    client.put('trick.var_exists("trick_variable_server_handshake")');
    const answer = await client.wire.line();
    demand(answer === '1\t0', `the handshake was answered with ${JSON.stringify(answer)}`);
    client.put('trick.var_pause()', 'trick.var_set_client_tag("TRICK_MTV")', 'trick.var_binary_nonames()');
    return new EventViewer(client);
  }

  put(...commands: readonly string[]): void {
    this.client.put(...commands);
  }

  /** Reads the header and then the body, each in one call. */
  async message(): Promise<readonly Typed[]> {
    const head = await this.client.wire.bytes(12);
    const [indicator, size, count] = [head.readInt32LE(0), head.readInt32LE(4), head.readInt32LE(8)];
    demand(indicator === 0 && size + 4 <= LONGEST_MESSAGE, `a message of kind ${indicator} and ${size + 4} bytes`);
    const body = await this.client.wire.bytes(size - 8);
    const values: Typed[] = [];
    let at = 0;
    for (let index = 0; index < count; index++) {
      const [code, length] = [body.readInt32LE(at), body.readInt32LE(at + 4)];
      values.push([code, decode(code, body.subarray(at + 8, at + 8 + length))]);
      at += 8 + length;
    }
    demand(at === body.length, `${body.length} bytes hold values of ${at}`);
    return values;
  }

  async one(name: string): Promise<Typed | undefined> {
    this.put(`trick.var_add("${name}"); trick.var_send(); trick.var_clear();`);
    return (await this.message())[0];
  }

  /** Reads what the viewer asks about all events, as many values as announced. */
  async eventData(): Promise<Value[]> {
    this.put('trick.mtv_send_event_data();');
    const head = await this.client.wire.bytes(12);
    const [indicator, nothing] = [head.readInt32LE(0), head.readInt32LE(4)];
    demand(indicator === 3 && nothing === 0, `a list of events begins with ${indicator}, ${nothing}`);
    const values: Value[] = [];
    while (values.length < head.readInt32LE(8)) values.push(...(await this.message()).map(([, value]) => value));
    return values;
  }

  /** Follows one event with that many conditions and actions. */
  follow(index: number, conditions: number, actions: number): void {
    const path = `trick_ip.mtv.mtv_list[${index}][0]`;
    const places = (count: number, list: string, members: readonly string[]) =>
      Array.from({ length: count }, (_, at) => members.map((member) => `${list}[${at}][0].${member}`)).flat();
    const names = [
      ...EVENT,
      ...places(conditions, 'condition_list', CONDITION),
      ...places(actions, 'action_list', ACTION),
    ];
    this.put('trick.var_cycle(0.05)');
    this.put('trick.var_add("trick_sys.sched.time_tics"); trick.var_add("trick_ip.mtv.mtv_update_ticker"); ');
    this.put(names.map((name) => `trick.var_add("${path}.${name}"); `).join(''));
    this.put('trick.var_unpause()');
  }

  /** Reads up to the next message whose values meet a condition. */
  async until(isMet: (values: readonly Value[]) => boolean): Promise<readonly Typed[]> {
    for (;;) {
      const message = await this.message();
      if (isMet(message.map(([, value]) => value))) return message;
    }
  }

  /** Ends as when the viewer's window is killed. */
  drop(): void {
    this.client.wire.drop();
  }

  /** Leaves after everything that it has sent has run. */
  async exit(): Promise<void> {
    await this.client.exit();
    this.client.wire.drop();
  }
}

/** Wraps a user's text as the viewer sends it. */
export const parsed = (text: string): string => `trick_ip.ip.parse("""\n${text.replaceAll('"', '\\"')}\n\n""")`;
