// Setting variables, against a scripted server that takes, changes or refuses values as Trick does.
import { expect } from 'chai';
import { binaryList, doubleBytes, ScriptedServer } from '../../testing/aids/scripted-server.js';
import { SetRefusedError, ValueTypeError } from './errors.js';
import { TrickClient } from './trick-client.js';

const EXISTS = Buffer.from([1, 0, 0, 0, 1]);
/** What varwire prints of a value that it refuses, while the simulation goes on changing the variable. */
const REFUSALS: Readonly<Record<string, string>> = {
  height: 'this source cannot be written: it is a file of telemetry',
  gain: 'gain is a number up to 4, not 5',
  name: 'name has room for 7 bytes of text, not 9',
};
const DIMENSIONS = `2\t`;

interface Held {
  readonly code: number;
  readonly before: Buffer;
  readonly after: Buffer;
  /** What var_send shows afterwards, in units. */
  readonly shown?: string;
}

const doubles = (...values: number[]): Buffer => Buffer.concat(values.map(doubleBytes));
const bytesOf = (...values: number[]): Buffer => Buffer.from(values);

const HELD: Readonly<Record<string, Held>> = {
  x: { code: 11, before: doubles(1), after: doubles(0.762), shown: '2.5 {ft}' },
  label: { code: 3, before: Buffer.from('one\0'), after: Buffer.from('a "b"\n\0') },
  phase: { code: 21, before: bytesOf(7, 0, 0, 0), after: bytesOf(1, 0, 0, 0) },
  three: { code: 11, before: doubles(0, 0, 0), after: doubles(1, 2, 3), shown: '1,2,3 {m}' },
  queue: { code: 11, before: doubles(0, 0, 0), after: doubles(1, 2) },
  serial: { code: 14, before: doubles(0), after: doubles(0) },
  whole: { code: 6, before: bytesOf(7, 0, 0, 0), after: bytesOf(1, 0, 0, 0) },
  metres: { code: 6, before: bytesOf(7, 0, 0, 0), after: bytesOf(2, 0, 0, 0), shown: '7 {ft}' },
  constant: { code: 11, before: doubles(4), after: doubles(4) },
  height: { code: 11, before: doubles(4), after: doubles(4.5) },
  gain: { code: 11, before: doubles(4), after: doubles(4.5) },
  name: { code: 1, before: bytesOf(65, 0, 0), after: bytesOf(65, 0, 0) },
  single: { code: 10, before: bytesOf(0, 0, 0, 0), after: bytesOf(0, 0, 0, 0) },
  byte: { code: 2, before: bytesOf(5), after: bytesOf(44) },
  bits: { code: 13, before: bytesOf(1, 0, 0, 0), after: bytesOf(2, 0, 0, 0) },
  wide: { code: 19, before: bytesOf(65, 0, 0, 0), after: bytesOf(65, 0, 0, 0) },
  // Of 1 byte each.
  'o.modes': { code: 21, before: bytesOf(1, 1), after: bytesOf(1, 0) },
  'o.grid': { code: 11, before: doubles(0, 0, 0, 0), after: doubles(1, 2, 3, 4) },
};

const GRID =
  '<sie><class name="Grid"><member name="grid" type="double" units="m"><dimension>2</dimension><dimension>2</dimension>' +
  '</member><member name="modes" type="Small"><dimension>2</dimension></member></class><top_level_object name="o" type="Grid"></top_level_object></sie>';

/** Takes what is set, except that a flat list for `grid` and a label other than ENTRY fail. */
class Simulation {
  private readonly set = new Set<string>();
  private hasFailed = false;

  readonly answer = (line: string): Buffer | string | undefined => {
    const [, name = ''] = /^trick\.var_set\("([\w.]+)"|^(?!trick)([\w.]+) = /.exec(line)?.filter(Boolean) ?? [];
    if (name !== '') return this.take(name, line);
    const asked = /var_send_once\("([^"]*)"/.exec(line)?.[1]?.split(',');
    if (asked)
      return binaryList(
        5,
        asked.map((one) => [one, this.codeOf(one), this.bytesOf(one)] as const),
      );
    if (line.startsWith('trick.var_get_stl_size')) return line.includes('"queue"') ? '6\t3\n' : '6\tBAD_REF\n';
    if (line.startsWith('trick.var_exists')) return this.witness();
    if (line === 'trick.send_sie_resource()') return `${DIMENSIONS}${GRID.length}\n${GRID}`;
    const [, listed] = /var_add\("(\w+)"/.exec(line) ?? [];
    if (listed) this.listed = listed;
    return line === 'trick.var_send()' ? `0\t${HELD[this.listed]?.shown ?? ''}\n` : undefined;
  };
  private listed = '';

  private take(name: string, line: string): string | undefined {
    this.hasFailed = line === 'o.grid = [1, 2, 3, 4]' || line.includes('trick.NOSUCH');
    if (!this.hasFailed) this.set.add(name);
    const refusal = REFUSALS[name];
    return refusal === undefined ? undefined : `4 2 ${refusal.length + 1}\n${refusal}\n`;
  }

  private witness(): Buffer | undefined {
    const answer = this.hasFailed ? undefined : EXISTS;
    this.hasFailed = false;
    return answer;
  }

  private codeOf(name: string): number {
    return HELD[name]?.code ?? 25;
  }

  private bytesOf(name: string): Buffer {
    const held = HELD[name];
    return (this.set.has(name) ? held?.after : held?.before) ?? Buffer.alloc(4);
  }
}

describe('set', () => {
  let server: ScriptedServer;
  let client: TrickClient;
  beforeEach(async () => {
    server = await new ScriptedServer(new Simulation().answer).start();
    client = await TrickClient.connect({ port: server.port });
  });
  afterEach(async () => {
    client.close();
    await server.stop();
  });

  const sent = (): string[] => server.lines.filter((line) => /var_set\(|=/.test(line));
  const heard = async (line: string, count: number): Promise<void> => {
    while (server.lines.filter((each) => each === line).length < count) await new Promise(setImmediate);
  };
  const failure = (setting: Promise<unknown>): Promise<unknown> => setting.catch((thrown: unknown) => thrown);

  it('uses var_set, labels of the module, and assignment for arrays', async () => {
    await client.set('x', 2.5, 'ft');
    await client.set('label', 'a "b"\n');
    await client.set('phase', 'ENTRY');
    await client.set('three', [1, 2, 3], 'm');
    expect(sent()).to.deep.equal([
      'trick.var_set("x", 2.5, "ft")',
      'trick.var_set("label", "a \\"b\\"\\n")',
      'trick.var_set("phase", trick.ENTRY)',
      'three = trick.attach_units("m", [1, 2, 3])',
    ]);
  });

  it('takes a list that is shorter than its array for a container only', async () => {
    const error = await failure(client.set('three', [1, 2]));
    expect(error).to.be.instanceOf(ValueTypeError);
    expect((error as Error).message).to.equal('three has 3 elements, a list of 2 does not fit');
    expect(await failure(client.set('o.modes', [1])))
      .to.be.instanceOf(ValueTypeError)
      .with.property('message', 'o.modes has 2 elements, a list of 1 does not fit');
    await client.set('queue', [1, 2]);
    expect(sent()).to.deep.equal(['queue = [1, 2]']);
  });

  it('refuses numbers that the variable cannot hold, and numbers that have lost digits', async () => {
    for (const [name, value, end] of [
      ['phase', 2 ** 32 + 1, 'which cannot hold 4294967297'],
      ['single', 1e39, 'of type float, which cannot hold 1e+39'],
      ['serial', 2 ** 60, 'which cannot hold 1152921504606847000 exactly: give a bigint'],
    ] as const) {
      const error = await failure(client.set(name, value));
      expect(error).to.be.instanceOf(ValueTypeError);
      expect((error as Error).message.endsWith(end), end).to.equal(true);
    }
    expect(sent()).to.deep.equal([]);
  });

  it('throws when the variable keeps its value', async () => {
    const error = await failure(client.set('constant', 5));
    expect(error).to.be.instanceOf(SetRefusedError);
    expect((error as Error).message).to.equal('the simulation has not taken 5: constant is 4');
  });

  it('throws when the server says that it refuses the value, though the variable has changed', async () => {
    for (const [name, reason] of Object.entries(REFUSALS)) {
      const error = await failure(client.set(name, name === 'name' ? '123456789' : 5));
      expect(error)
        .to.be.instanceOf(SetRefusedError)
        .and.include({ reason, printed: `${reason}\n` });
    }
  });

  it('sends no fraction to what holds whole numbers, and says when one is lost in other units', async () => {
    for (const [name, value] of [
      ['whole', 1.5],
      ['whole', Number.NaN],
      ['byte', 0.1],
      ['phase', 7.5],
      ['byte', [1.5]],
    ] as const)
      expect(await failure(client.set(name, value as number)))
        .to.be.instanceOf(ValueTypeError)
        .with.property('message')
        .that.matches(/which cannot hold (1\.5|float\("nan"\)|0\.1|7\.5)$/);
    expect(sent()).to.deep.equal([]);
    await client.set('whole', 1);
    await client.set('metres', 7, 'ft');
    expect(((await failure(client.set('metres', 7.5, 'ft'))) as Error).message).to.match(
      /^the simulation has not taken 7.5: metres is \[?7/,
    );
  });

  it('sends no integer that the variable cannot hold, and says when a bit field has lost bits', async () => {
    expect(await failure(client.set('byte', 300)))
      .to.be.instanceOf(ValueTypeError)
      .with.property('message', 'byte is of type unsigned char, which cannot hold 300');
    expect(sent()).to.deep.equal([]);
    expect(await failure(client.set('bits', 10))).to.be.instanceOf(SetRefusedError);
  });

  it('sends no wide text, which Trick would write as narrow characters', async () => {
    expect(await failure(client.set('wide', 'B'))).to.be.instanceOf(ValueTypeError);
    expect(sent()).to.deep.equal([]);
  });

  it('throws when the command fails on the server', async () => {
    expect(await failure(client.set('phase', 'NOSUCH'))).to.be.instanceOf(SetRefusedError);
  });

  it('gives a flat list the shape of the array when the server refuses it flat', async () => {
    await client.set('o.grid', [1, 2, 3, 4]);
    expect(sent()).to.deep.equal(['o.grid = [1, 2, 3, 4]', 'o.grid = [[1, 2], [3, 4]]']);
  });

  it('sets many in a few questions, and says why one was not set', async () => {
    const questions = () => server.lines.filter((line) => line === 'trick.var_send_list_size()').length;
    await client.set('whole', 1);
    const before = questions();
    const errors = await client.setMany([
      { name: 'x', value: 0.762 },
      { name: 'constant', value: 5 },
      { name: 'byte', value: 300 },
      { name: 'three', value: [1, 2, 3] },
      { name: 'label', value: 'a "b"\n' },
    ]);
    expect(errors.map((error) => error?.message)).to.deep.equal([
      undefined,
      'the simulation has not taken 5: constant is 4',
      'byte is of type unsigned char, which cannot hold 300',
      undefined,
      undefined,
    ]);
    expect(sent().slice(1)).to.deep.equal([
      'three = [1, 2, 3]',
      'trick.var_set("x", 0.762)',
      'trick.var_set("constant", 5)',
      'trick.var_set("label", "a \\"b\\"\\n")',
      'trick.var_set("constant", 5)',
    ]);
    expect(questions() - before).to.be.below(15);
  });

  it('leaves no session behind: it says goodbye', async () => {
    client.subscribe(['x']);
    await heard('trick.var_unpause()', 1);
    client.close();
    await heard('trick.var_exit()', 2);
  });

  it('sends a long list in blocks, each answered before the next', async () => {
    const names = Array.from({ length: 3000 }, (_, index) => `long_name_of_a_variable_${index}`);
    await failure(client.get(names, { units: 'xx' }));
    const sizes = server.lines
      .join('\n')
      .split('trick.var_send_list_size()')
      .map((block) => block.length);
    expect(Math.max(...sizes)).to.be.below(33_000);
    expect(server.lines.filter((line) => line.includes('var_send_once')).join()).to.include(
      'long_name_of_a_variable_2999',
    );
  });
});
