// Trick's own clients, as they start, are used and leave: what each sends, in the writes it sends it in.
import { createSocket } from 'node:dgram';
import { expect } from 'chai';
import { ENDINGS, GuiClient } from './gui-client.js';
import { endAfterFailure, LaunchedServer } from './launch.js';
import { reference } from './recorded.js';
import { WireClient } from './wire-client.js';

const INTEGER = /^-?\d+$/;
const NUMBER = /^-?\d+(\.\d+)?(e[-+]\d+)?$/;
const LONGEST_JAVA_LONG = 2n ** 63n - 1n;
const FIXTURE = new URL('./fixture/fixture.js', import.meta.url);

let server: LaunchedServer | undefined;
const port = (): number => server!.port;

/** A server for the tests of one suite; after a failure a new one, so that each test fails for itself. */
function serving(simulation: string | URL, options: readonly string[] = []): void {
  const start = async () => {
    server = await LaunchedServer.start(simulation, { options });
  };
  before(start);
  afterEach(async function () {
    if (await endAfterFailure(this, server)) await start();
  });
  after(() => server?.stop());
}

describe("Trick's Sim Control", () => {
  serving(FIXTURE);

  const STATUS = [
    'trick_sys.sched.time_tics',
    'trick_sys.sched.mode',
    'trick_real_time.rt_sync.actual_run_ratio',
    'trick_real_time.rt_sync.active',
    'trick_instruments.debug_pause.debug_pause_flag',
    'trick_real_time.rt_sync.total_overrun',
  ];

  /** The socket that the panel's state comes from. */
  async function followStatus(): Promise<GuiClient> {
    const status = await GuiClient.shakeHands(port(), 'SimControl2', ENDINGS.simControl);
    status.add(...STATUS);
    status.put('trick.var_cycle(0.25)');
    return status;
  }
  const commandSocket = () => GuiClient.shakeHands(port(), 'SimControl', ENDINGS.simControl);
  const mode = (wanted: number) => (fields: readonly string[]) => fields[2] === String(wanted);

  it('reads whole numbers of tics, a run directory and every probe at its start', async () => {
    const client = await GuiClient.connect(port(), ENDINGS.simControl);
    client.put('trick.var_exists("trick_variable_server_handshake")');
    expect(await client.wire.line()).to.equal('1\t0');
    expect(await client.exists('trick_master_slave.master.num_slaves')).to.equal('0');
    client.put('trick.var_set_client_tag("SimControl")');
    const [start, terminate, ticValue, ...texts] = await client.read(
      'trick_sys.sched.sim_start',
      'trick_sys.sched.terminate_time',
      'trick_sys.sched.time_tic_value',
      'trick_cmd_args.cmd_args.default_dir',
      'trick_cmd_args.cmd_args.cmdline_name',
      'trick_cmd_args.cmd_args.input_file',
      'trick_cmd_args.cmd_args.run_dir',
    );
    expect([start, terminate, ticValue]).to.deep.equal(['0', '100000000000', '1000000']);
    expect(texts).to.have.length(4).and.not.include('');
    expect(await client.exists('trick_instruments.debug_pause.debug_pause_flag')).to.equal('1');
    expect(await client.exists('trick_real_time.rt_sync.total_overrun')).to.equal('1');
    expect(await client.exists('trick_message.mdevice.port')).to.equal('1');
    expect((await client.read('trick_message.mdevice.port'))[0]).to.match(/^[1-9]\d*$/);
    await client.exit();
  });

  it('follows time, mode and overruns in messages whose fields all parse', async () => {
    const status = await followStatus();
    for (let message = 0; message < 4; message++) {
      const fields = await status.fields();
      expect(fields).to.have.length(1 + STATUS.length);
      const [indicator, tics, modeNumber, ratio, active, debugPause, overruns] = fields;
      expect([indicator, modeNumber, active, debugPause]).to.deep.equal(['0', '5', '1', '0']);
      expect(tics).to.match(INTEGER);
      expect(ratio).to.match(NUMBER);
      expect(overruns).to.match(INTEGER);
    }
    status.wire.drop();
  });

  it('freezes, steps frame by frame, freezes from a step and starts again', async () => {
    const [commands, status] = [await commandSocket(), await followStatus()];
    commands.put('trick.exec_freeze()');
    await status.until(mode(1));
    commands.put('trick.debug_pause_on()\ntrick.exec_run()\n');
    const paused = await status.until((fields) => fields[2] === '4' && fields[5] === '1');
    commands.put('trick.debug_signal()');
    const stepped = await status.until((fields) => fields[1] !== paused[1]);
    expect(Number(stepped[1]) - Number(paused[1])).to.equal(10_000);
    expect(stepped[2]).to.equal('4');
    commands.put('trick.exec_freeze()', 'trick.debug_pause_off()');
    const frozen = await status.until(mode(1));
    expect([frozen[1], frozen[5]]).to.deep.equal([stepped[1], '0']);
    commands.put('trick.exec_run()');
    await status.until(mode(5));
    commands.wire.drop();
    status.wire.drop();
  });

  it('shows in a pause what is written', async () => {
    const commands = await commandSocket();
    commands.put('trick.debug_pause_on()', 'fx.all.w_i = 4711');
    expect(await commands.read('fx.all.w_i')).to.deep.equal(['4711']);
    commands.put('trick.debug_pause_off()');
    expect(await commands.read('trick_sys.sched.mode')).to.deep.equal(['5']);
    await commands.exit();
  });

  it('switches real time, throttles, freezes at a time and gets answers after all of it', async () => {
    const commands = await commandSocket();
    const status = await followStatus();
    commands.put('trick.real_time_disable() ');
    await status.until((fields) => fields[4] === '0');
    commands.put('trick.real_time_enable() ', 'trick.real_time_set_rt_clock_ratio(2.0)');
    const running = await status.until((fields) => fields[4] === '1');
    commands.put('trick.real_time_set_rt_clock_ratio(1.0)', 'trick.dr_disable()', 'trick.dr_enable()');
    const seconds = Math.ceil(Number(running[1]) / 1e6) + 0.925951000000001;
    commands.put(`trick.freeze(${seconds})`);
    const frozen = await status.until(mode(1));
    expect(Number(frozen[1]) / 1e6).to.be.closeTo(seconds, 0.0101);
    commands.put('trick.exec_run()');
    await status.until(mode(5));
    await Promise.all([commands.exit(), status.exit().catch(() => undefined)]);
  });

  it('reads messages with their headers, and nothing else, from a port that stays open', async () => {
    const commands = await commandSocket();
    const [messagePort] = await commands.read('trick_message.mdevice.port');
    const messages = await WireClient.tcp(Number(messagePort));
    const late = await GuiClient.connect(port());
    // The reader is known once something that came after it is heard of.
    late.put('trick.no_such_command()');
    const text = await messages.through((received) => received.includes('no_such_command'), 'what went wrong');
    for (const line of text.split(/(?<=\x1b\[00m\n)/)) {
      expect(line).to.match(
        /^\|L [0-3]\|\d{4}\/\d\d\/\d\d,\d\d:\d\d:\d\d\|[^|\x1b]+\|fixture\|T 0\|\d+\.\d{6}\| \x1b\[(00|31|32|33)m[^\x1b]*\x1b\[00m\n$/,
      );
    }
    expect(text).to.match(/\|L 1\|.*\x1b\[32mclient 127\.0\.0\.1:\d+: connected/);
    expect(text).to.match(/\|L 2\|.*\x1b\[33mclient 127\.0\.0\.1:\d+: Traceback/);
    expect(messages.leftovers).to.equal('');
    messages.drop();
    late.wire.drop();
    await commands.exit();
  });

  it('sees every socket close when it stops the simulation', async () => {
    const own = await LaunchedServer.start('sims/ball.js', { options: ['--no-discovery'] });
    const commands = await GuiClient.shakeHands(own.port, 'SimControl', ENDINGS.simControl);
    const [terminate, messagePort] = await commands.read(
      'trick_sys.sched.terminate_time',
      'trick_message.mdevice.port',
    );
    // "No end" for its progress bar.
    expect(BigInt(terminate!) >= LONGEST_JAVA_LONG - 1n).to.equal(true);
    const messages = await WireClient.tcp(Number(messagePort));
    commands.put('trick.stop()');
    await commands.wire.ended();
    await messages.ended();
    await own.stop();
  });
});

describe("Trick's Trick View", () => {
  serving(FIXTURE);

  /** The data channel up to its first cyclic message. */
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
    // Longer than a cycle: the answer to this is the next thing that comes.
    await new Promise((resolve) => setTimeout(resolve, 250));
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
    // A later write, and so a block of its own.
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
    // Attributes stay apart when lines are joined.
    expect(text.replaceAll('\n', '')).to.not.match(/<(member|top_level_object)[a-z]|"\w+="/);
    await client.exit();
  });

  it('finds the recorded classes, enumerations and objects in the resource file, byte for byte', async () => {
    const client = await GuiClient.connect(port());
    const blocks = blocksOf(await fileAfter(client, 'trick.send_sie_resource()'));
    const recorded = blocksOf(reference('sie.xml'));
    const names = new Set(recorded.map(nameOf));
    expect(blocks.filter((block) => names.has(nameOf(block))).join('')).to.equal(recorded.join(''));
    // The executive's own classes come with it.
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

/** The bytes of the file that a command sends. */
async function fileAfter(client: GuiClient, command: string): Promise<string> {
  client.put(command);
  const [indicator, size] = await client.fields();
  expect(indicator).to.equal('2');
  return (await client.wire.bytes(Number(size))).toString('latin1');
}

/** The elements of a resource file below its root, as they stand there. */
const blocksOf = (file: string): string[] => {
  const [head, tail] = ['<?xml version="1.0"?>\n\n<sie>\n\n', '</sie>\n'];
  expect([file.slice(0, head.length), file.slice(-tail.length)]).to.deep.equal([head, tail]);
  return file.slice(head.length, -tail.length).split(/(?<=\n\n)/);
};

/** `class Ball`. */
const nameOf = (block: string): string => block.replace(/^\s*<(\w+)\s+name="([^"]*)"(?:.|\n)*$/, '$1 $2');

describe("Trick's event viewer and Monte Monitor", () => {
  serving(FIXTURE, ['--no-discovery']);
  const header = (indicator: number, ...values: number[]) => {
    const bytes = Buffer.alloc(4 + 4 * values.length);
    for (const [index, value] of [indicator, ...values].entries()) bytes.writeInt32LE(value, 4 * index);
    return bytes;
  };
  /** A message of one value without its name. */
  const single = (code: number, value: Buffer) =>
    Buffer.concat([header(0, 16 + value.length, 1, code, value.length), value]);

  it('shows no events where there are none', async () => {
    const client = await GuiClient.connect(port());
    client.put('trick.var_exists("trick_variable_server_handshake")');
    expect(await client.wire.line()).to.equal('1\t0');
    client.put('trick.var_pause()', 'trick.var_set_client_tag("TRICK_MTV")', 'trick.var_binary_nonames()');
    client.put('trick.var_cycle(0.01)');
    client.put('trick.var_add("trick_ip.mtv.mtv_count"); trick.var_send(); trick.var_clear();');
    const count = single(7, header(0));
    expect(await client.wire.bytes(count.length)).to.deep.equal(count);
    client.put('trick.mtv_send_event_data();');
    expect(await client.wire.bytes(12)).to.deep.equal(header(3, 0, 0));
    client.put('trick.var_add("trick_ip.mtv.mtv_update_ticker"); trick.var_send(); trick.var_clear();');
    const ticker = single(6, header(0));
    expect(await client.wire.bytes(ticker.length)).to.deep.equal(ticker);
    client.put('trick.var_cycle(0.05)');
    client.put('trick.var_add("trick_sys.sched.time_tics"); trick.var_add("trick_ip.mtv.mtv_update_ticker"); ');
    client.put('trick.var_unpause()');
    for (let message = 0; message < 3; message++) {
      const bytes = await client.wire.bytes(12 + 16 + 12);
      expect(bytes.subarray(0, 12)).to.deep.equal(header(0, 36, 2));
      // time_tics must be a long long, or it takes itself for disconnected.
      expect([
        bytes.readInt32LE(12),
        bytes.readInt32LE(16),
        bytes.readInt32LE(28),
        bytes.readInt32LE(32),
      ]).to.deep.equal([14, 8, 6, 4]);
    }
    client.put('trick.var_clear()', 'trick.var_exit()');
    await client.wire.ended();
  });

  it('gets an empty list of events as text too', async () => {
    const client = await GuiClient.connect(port());
    client.put('trick.mtv_send_event_data()', 'trick.var_exists("fx")');
    expect(await client.wire.line()).to.equal('3\t0');
    expect(await client.wire.line()).to.equal('1\t1');
    await client.exit();
  });

  it('tells Monte Monitor that this is no Monte Carlo master', async () => {
    const client = await GuiClient.connect(port());
    client.put('trick.var_exists("trick_variable_server_handshake")');
    expect(await client.wire.line()).to.equal('1\t0');
    client.put('trick.var_pause()', 'trick.var_set_client_tag("TRICK_Monte")');
    expect(await client.read('trick_mc.mc.enabled', 'trick_mc.mc.slave_id')).to.deep.equal(['0', '0']);
    await client.exit();
  });
});

describe("Trick's Sim Sniffer and find_simulation", () => {
  serving(FIXTURE);

  for (const group of ['239.3.14.15', '224.3.14.15']) {
    it(`hear the simulation on ${group}, joined as they join it, with its tag and a host that answers`, async () => {
      const tagging = await GuiClient.connect(port());
      tagging.put('trick.var_server_set_user_tag("night shift")');
      const fields = await announcement(group, (heard) => heard[8] === 'night shift');
      expect(fields).to.have.length(12);
      const [host, , user, processId, directory, program, input, version, , again, isEnabled, mode] = fields;
      for (const text of [user, directory, program, input]) expect(text).to.not.equal('');
      expect(processId).to.match(INTEGER);
      // Clients parse what stands before the first dot.
      expect(Number(version!.split('.')[0])).to.be.at.least(10);
      expect([again, isEnabled, mode]).to.deep.equal([String(port()), '1', '5']);
      const client = await WireClient.tcp(port(), host);
      client.send('trick.var_exists("fx")\n');
      expect(await client.line()).to.equal('1\t1');
      client.close();
      await tagging.exit();
    });
  }
});

/** The fields of the first datagram of this server that meets a condition. */
async function announcement(group: string, isMet: (fields: string[]) => boolean): Promise<string[]> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  try {
    return await new Promise<string[]>((resolve, reject) => {
      socket.on('error', reject).on('message', (bytes) => {
        const fields = bytes.toString().replace('\n', '').split('\t');
        if (fields[1] === String(port()) && isMet(fields)) resolve(fields);
      });
      socket.bind(9265, () => socket.addMembership(group));
    });
  } finally {
    socket.close();
  }
}

describe("Trick's Python module variable_server.py", () => {
  serving(FIXTURE, ['--no-discovery']);

  it('asks on one connection while messages come on another', async () => {
    const [sync, async_] = [await GuiClient.connect(port()), await GuiClient.connect(port())];
    sync.put('trick.var_pause()', 'trick.var_set_client_tag("mine_SYNC")');
    async_.put(
      'trick.var_set_client_tag("mine_ASYNC")',
      'trick.var_set_copy_mode(1)',
      'trick.var_set_write_mode(True)',
    );
    async_.put('trick.var_add("trick_sys.sched.time_tics", "xx")', 'trick.var_cycle(0.1)');
    sync.put(
      'trick.var_add("fx.all.i", "xx")',
      'trick.var_add("fx.all.w_d", "ft")',
      'trick.var_add("fx.all.count", "xx")',
    );
    sync.put('trick.var_send()', 'trick.var_clear()');
    const [indicator, inMetres, inFeet, without] = await sync.fields();
    expect(indicator).to.equal('0');
    expect(inMetres).to.match(/^-?\d+ \{m\}$/);
    expect(inFeet).to.match(/ \{ft\}$/);
    expect(without).to.match(/^-?\d+ \{--\}$/);
    expect(await sync.exists('fx.all.nothing')).to.equal('0');
    sync.put('trick.var_get_stl_size("fx.all.vi")');
    expect(await sync.fields()).to.have.length(2);
    sync.put('trick.var_set("fx.all.w_str", "text")', 'trick.var_set("fx.all.w_d", 3.5, "m")');
    sync.put('trick.var_validate_address(True)', 'trick.var_debug(0)');
    expect(await sync.read('fx.all.w_str', 'fx.all.w_d')).to.deep.equal(['text', '3.5']);
    for (let message = 0; message < 3; message++) {
      expect(await async_.wire.line()).to.match(/^0\t\d+00000 \{(--|1)\}$/);
    }
    // It shuts its sockets and says nothing.
    sync.wire.close();
    async_.wire.drop();
    const next = await GuiClient.connect(port());
    expect(await next.exists('fx')).to.equal('1');
    await next.exit();
  });
});

describe("Trick's display clients", () => {
  serving('sims/cannon.js', ['--no-discovery']);

  it('show the cannon, aim it, fire it and see it hit the ground', async () => {
    const client = await GuiClient.connect(port(), ENDINGS.display);
    client.put('trick.var_set_client_tag("CannonDisplay")');
    // One write, before the pause: no cyclic line may slip in.
    client.wire.send('trick.var_add("trick_sys.sched.mode")\ntrick.var_send() \ntrick.var_clear() \n');
    expect(await client.fields()).to.deep.equal(['0', '1']);
    client.put('trick.var_pause()');
    client.add(
      'dyn.cannon.impact',
      'dyn.cannon.pos[0]',
      'dyn.cannon.pos[1]',
      'dyn.cannon.vel[0]',
      'dyn.cannon.vel[1]',
      'trick_sys.sched.mode',
    );
    client.put('trick.var_ascii()', 'trick.var_cycle(0.050)', 'trick.var_unpause()');
    const shown = await client.fields();
    expect([shown.length, shown[1], shown[6]]).to.deep.equal([7, '0', '1']);
    client.wire.send(
      'dyn.cannon.init_speed = 10.0 ;\ndyn.cannon.init_angle = 0.785398 ;\ndyn.cannon.pos[0] = -0.10 ;\n',
    );
    await client.until((fields) => fields[2] === '-0.1');
    client.wire.send('trick.cannon_init( dyn.cannon );\n');
    await client.until((fields) => fields[2] === '0' && fields[4]!.startsWith('7.07'));
    client.wire.send('trick.exec_run();\n');
    const landed = await client.until((fields) => fields[1] === '1');
    expect(Number(landed[2])).to.be.closeTo((10 * 10) / 9.81, 1e-3);
    expect(landed[6]).to.equal('5');
    client.wire.send('trick.exec_freeze();\n');
    await client.until((fields) => fields[6] === '1');
    client.wire.drop();
  });

  it('hold text without a newline until one comes', async () => {
    const client = await GuiClient.connect(port());
    client.wire.send('dyn.cannon.time = 12.5 ;');
    client.wire.send('dyn.cannon.init_speed = 25.0 ;');
    client.wire.send('\n');
    expect(await client.read('dyn.cannon.time', 'dyn.cannon.init_speed')).to.deep.equal(['12.5', '25']);
    await client.exit();
  });

  it('answer the billiard table in one piece each, names separated by commas and blanks', async () => {
    const client = await GuiClient.connect(port());
    client.put('trick.var_send_once("dyn.cannon.impact")');
    expect(await client.wire.through((text) => text.endsWith('\n'), 'a line')).to.match(/^5\t[01]\n$/);
    client.put('trick.var_send_once("dyn.cannon.pos[0], dyn.cannon.pos[1], dyn.cannon.impact", 3)');
    const reply = await client.wire.through((text) => text !== '', 'one piece');
    expect(reply).to.match(/^5(\t\S+){3}\n$/);
    client.put(
      'trick.var_pause()',
      'trick.var_add("dyn.cannon.pos[0]")',
      'trick.var_cycle(0.010)',
      'trick.var_unpause()',
    );
    expect(await client.fields()).to.have.length(2);
    client.wire.drop();
  });
});
