// Trick View: its data, resource file and size channels, and its strip chart.
import { expect } from 'chai';
import { GuiClient, serving } from './gui-client.js';
import { reference } from './recorded.js';

const FIXTURE = new URL('./fixture/fixture.js', import.meta.url);
const INTEGER = /^-?\d+$/;

describe("Trick's Trick View", () => {
  const port = serving(FIXTURE);

  /** Opens the data channel, up to its first cyclic message. */
  async function dataChannel(): Promise<GuiClient> {
    const client = await GuiClient.shakeHands(port(), 'TRICK_TV_DATA_CHANNEL');
    client.put('trick.var_pause()');
    expect(await client.read('trick_sys.sched.time_tic_value')).to.deep.equal(['1000000']);
    const [directory] = await client.read('trick_cmd_args.cmd_args.default_dir');
    expect(directory).to.match(/^\//);
    client.add('trick_sys.sched.time_tics');
    return client;
  }

  it('gets nothing it did not ask for between pause and unpause', async () => {
    const client = await dataChannel();
    // Lasts as long as three cycles of the other session; then the next thing that comes is the answer to the next
    // question.
    const clock = await GuiClient.connect(port());
    clock.add('trick_sys.sched.mode');
    for (let message = 0; message < 3; message++) await clock.fields();
    clock.wire.drop();
    expect(await client.exists('fx')).to.equal('1');
    client.put('trick.var_unpause()', 'trick.var_cycle(0.1)', 'trick.var_validate_address(False)');
    const [indicator, tics, ...others] = await client.fields();
    expect([indicator, others]).to.deep.equal(['0', []]);
    expect(tics).to.match(INTEGER);
    client.wire.drop();
  });

  it('watches, edits in other units, removes and monitors on and off', async () => {
    const client = await dataChannel();
    client.put('trick.var_unpause()', 'trick.var_cycle(0.05)', 'trick.var_validate_address(True)');
    client.put('trick.var_add("fx.all.w_d", "m")', 'trick.var_add("fx.all.w_phase")');
    client.put('trick.var_units("fx.all.w_phase", "--")', 'trick.var_units("fx.all.w_d", "ft")');
    const added = await client.until((fields) => fields.length === 4 && fields[2]!.endsWith(' {ft}'));
    expect(added[3]).to.match(/^\d( \{--\})?$/);
    client.put('trick.var_set("fx.all.w_d", 10.0, "ft")', 'trick.var_set("fx.all.w_phase", 7)');
    await client.until((fields) => Math.abs(Number.parseFloat(fields[2]!) - 10) < 1e-9 && fields[3]!.startsWith('7'));
    // It does not escape what its user types.
    client.put('trick.var_set("fx.all.w_str", "new "name")');
    // A later write, and therefore a block of its own.
    for (let message = 0; message < 2; message++) await client.fields();
    client.put('trick.var_set("fx.all.w_str", "new name")');
    client.put('trick.var_remove("fx.all.w_phase")', 'trick.var_remove("fx.all.w_d")', 'trick.var_add("fx.all.w_str")');
    await client.until((fields) => fields.length === 3 && fields[2] === 'new name');
    client.put('trick.var_pause()');
    client.put('trick.var_unpause()');
    await client.until((fields) => fields.length === 3);
    client.wire.drop();
  });

  it('plots its variables in a strip chart: one point, of numbers only, a message', async () => {
    const client = await GuiClient.shakeHands(port(), 'TRICK_TV_DATA_CHANNEL');
    client.put('trick.var_pause()');
    client.add('trick_sys.sched.time_tics');
    client.put('trick.var_unpause()');
    client.put(
      'trick.var_add("fx.ball.pos[1]", "m")',
      'trick.var_add("fx.ball.vel[1]", "m/s")',
      'trick.var_cycle(0.1)',
    );
    await client.until((fields) => fields.length === 4);
    let before = 0;
    for (let point = 0; point < 5; point++) {
      const [, tics, position, velocity] = await client.fields();
      expect(Number(tics)).to.be.greaterThan(before);
      expect(position).to.match(/^-?[\d.e+-]+ \{m\}$/);
      expect(velocity).to.match(/^-?[\d.e+-]+ \{m\/s\}$/);
      before = Number(tics);
    }
    client.wire.drop();
  });

  it('reads the resource file up to a line that is </sie>, all lines joined', async () => {
    const client = await GuiClient.shakeHands(port(), 'TRICK_TV_SIE_CHANNEL');
    const text = await fileAfter(client, 'trick.send_sie_resource()');
    expect(text.split('\n').filter((line) => line === '</sie>')).to.have.length(1);
    // Attributes stay separate when lines are joined.
    expect(text.replaceAll('\n', '')).to.not.match(/<(member|top_level_object)[a-z]|"\w+="/);
    await client.exit();
  });

  it('finds the recorded classes, enumerations and objects in the resource file, byte for byte', async () => {
    const client = await GuiClient.connect(port());
    const blocks = blocksOf(await fileAfter(client, 'trick.send_sie_resource()'));
    const recorded = blocksOf(reference('sie.xml'));
    const names = new Set(recorded.map(nameOf));
    expect(blocks.filter((block) => names.has(nameOf(block))).join('')).to.equal(recorded.join(''));
    // The executive's own classes are listed too.
    expect(blocks.map(nameOf)).to.include.members(['class Trick__Executive', 'top_level_object trick_sys']);
    await client.exit();
  });

  const chapters = [
    ['send_sie_class', /^class /],
    ['send_sie_enum', /^enumeration /],
    ['send_sie_top_level_objects', /^top_level_object /],
  ] as const;
  for (const [command, kind] of chapters) {
    it(`gets its part of the resource file with ${command}`, async () => {
      const client = await GuiClient.connect(port());
      const part = blocksOf(await fileAfter(client, `trick.${command}()`));
      const whole = blocksOf(await fileAfter(client, 'trick.send_sie_resource()'));
      expect(part).to.deep.equal(whole.filter((block) => kind.test(nameOf(block))));
      expect(part).to.not.deep.equal([]);
      await client.exit();
    });
  }

  const sizes = [
    ['fx.all.vd', '3'],
    ['fx.all.vempty', '0'],
    ['fx.all.i', 'BAD_REF'],
  ] as const;
  for (const [name, size] of sizes) {
    it(`asks for the size of ${name} on a connection of its own and reads ${size}`, async () => {
      const client = await GuiClient.shakeHands(port(), 'TRICK_TV_STL_SIZE_QUERY');
      client.put(`trick.var_get_stl_size("${name}")`);
      expect(await client.fields()).to.deep.equal(['6', size]);
      await client.exit();
    });
  }
});

/** The content of the file that a command sends. */
async function fileAfter(client: GuiClient, command: string): Promise<string> {
  client.put(command);
  const [indicator, size] = await client.fields();
  expect(indicator).to.equal('2');
  return (await client.wire.bytes(Number(size))).toString('latin1');
}

/** The elements of a resource file below its root, as text. */
const blocksOf = (file: string): string[] => {
  const [head, tail] = ['<?xml version="1.0"?>\n\n<sie>\n\n', '</sie>\n'];
  expect([file.slice(0, head.length), file.slice(-tail.length)]).to.deep.equal([head, tail]);
  return file.slice(head.length, -tail.length).split(/(?<=\n\n)/);
};

/** Such as `class Ball`. */
const nameOf = (block: string): string => block.replace(/^\s*<(\w+)\s+name="([^"]*)"(?:.|\n)*$/, '$1 $2');
