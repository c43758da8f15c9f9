// Trick's Sim Control, event viewer, Monte Monitor and sniffer: how they start, are used and leave.
import { createSocket } from 'node:dgram';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ENDINGS, GuiClient, serving } from './gui-client.js';
import { ServerHere } from './launch.js';
import { WireClient } from './wire-client.js';

const FIXTURE = new URL('./fixture/fixture.js', import.meta.url);
const INTEGER = /^-?\d+$/;
const NUMBER = /^-?\d+(\.\d+)?(e[-+]\d+)?$/;
const LONGEST_JAVA_LONG = 2n ** 63n - 1n;

/** It is 0 until the simulation has been told of it, between two frames. */
async function messagePortOf(client: GuiClient): Promise<string> {
  for (;;) {
    const [port = '0'] = await client.read('trick_message.mdevice.port');
    if (port !== '0') return port;
  }
}

describe("Trick's Sim Control", () => {
  const port = serving(FIXTURE);

  const STATUS = [
    'trick_sys.sched.time_tics',
    'trick_sys.sched.mode',
    'trick_real_time.rt_sync.actual_run_ratio',
    'trick_real_time.rt_sync.active',
    'trick_instruments.debug_pause.debug_pause_flag',
    'trick_real_time.rt_sync.total_overrun',
  ];

  /** Opens the socket that sends the panel's state. */
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
    expect(await messagePortOf(client)).to.match(/^[1-9]\d*$/);
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
    let shown = await status.until((fields) => fields[4] === '1');
    commands.put('trick.real_time_set_rt_clock_ratio(1.0)', 'trick.dr_disable()', 'trick.dr_enable()');
    const secondsOf = (fields: readonly string[]): number => Number(fields[1]) / 1e6;
    let seconds = 0;
    // A busy machine may ask only when that time is past, so it asks for a later one.
    for (let ahead = 1; !mode(1)(shown); ahead *= 2) {
      seconds = Math.floor(secondsOf(shown)) + ahead + 0.925951000000001;
      commands.put(`trick.freeze(${seconds})`);
      shown = await status.until((fields) => mode(1)(fields) || secondsOf(fields) > seconds + 1);
    }
    expect(secondsOf(shown)).to.be.closeTo(seconds, 0.0101);
    commands.put('trick.exec_run()');
    await status.until(mode(5));
    await Promise.all([commands.exit(), status.exit().catch(() => undefined)]);
  });

  it('reads messages with their headers, and nothing else, from a port that stays open', async () => {
    const commands = await commandSocket();
    const messagePort = await messagePortOf(commands);
    const messages = await WireClient.tcp(Number(messagePort));
    const late = await GuiClient.connect(port());
    // The reader is connected once a message that was sent after it arrives.
    late.put('trick.no_such_command()');
    const text = await messages.through((received) => received.includes('no_such_command'), 'what went wrong');
    for (const line of text.split(/(?<=\n\x1b\[00m)/)) {
      expect(line).to.match(
        /^\|L {3}[0-3]\|\d{4}\/\d\d\/\d\d,\d\d:\d\d:\d\d\.\d{6}\|[^|\x1b]+\|fixture\|T 0\|\d+\.\d{6}\| \x1b\[(00|31|32|33)m[^\x1b]*\n\x1b\[00m$/,
      );
    }
    expect(text).to.match(/\|L {3}1\|.*\x1b\[32mclient 127\.0\.0\.1:\d+: connected/);
    expect(text).to.match(/\|L {3}2\|.*\x1b\[33mclient 127\.0\.0\.1:\d+: Traceback/);
    expect(messages.leftovers).to.equal('');
    messages.drop();
    late.wire.drop();
    await commands.exit();
  });

  it('sees every socket close when it stops the simulation', async () => {
    const own = await ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--run-dir', ''] });
    const commands = await GuiClient.shakeHands(own.port, 'SimControl', ENDINGS.simControl);
    const [terminate] = await commands.read('trick_sys.sched.terminate_time');
    const messagePort = await messagePortOf(commands);
    // The text is not empty at the start.
    expect(await commands.read('trick_cmd_args.cmd_args.run_dir')).to.deep.equal(['.']);
    // The progress bar shows "no end" for it.
    expect(BigInt(terminate!) >= LONGEST_JAVA_LONG - 1n).to.equal(true);
    const messages = await WireClient.tcp(Number(messagePort));
    commands.put('trick.stop()');
    await commands.wire.ended();
    await messages.ended();
    await own.stop();
  });
});

describe("Trick's event viewer and Monte Monitor", () => {
  const port = serving(FIXTURE, ['--no-discovery']);
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
      // time_tics must be a long long, or the panel takes itself for disconnected.
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
  const directory = mkdtempSync(join(tmpdir(), 'varwire-sniffer-'));
  const input = join(directory, 'input.py');
  writeFileSync(input, 'trick.var_server_set_user_tag("night shift")\n');
  const port = serving(FIXTURE, ['--input', input]);
  after(() => rmSync(directory, { recursive: true }));

  for (const group of ['239.3.14.15', '224.3.14.15']) {
    it(`hear the simulation on ${group}, joined as they join it, with its tag and a host that answers`, async () => {
      const fields = await announcement(port(), group, (heard) => heard[8] === 'night shift');
      expect(fields).to.have.length(12);
      const [host, , user, processId, directory, program, input, version, , again, isEnabled, mode] = fields;
      for (const text of [user, directory, program, input]) expect(text).to.not.equal('');
      expect(processId).to.match(INTEGER);
      // Clients parse the number before the first dot.
      expect(Number(version!.split('.')[0])).to.be.at.least(10);
      expect([again, isEnabled, mode]).to.deep.equal([String(port()), '1', '5']);
      const client = await WireClient.tcp(port(), host);
      client.send('trick.var_exists("fx")\n');
      expect(await client.line()).to.equal('1\t1');
      client.close();
    });
  }
});

/** The fields of this server's first datagram that meets a condition. */
async function announcement(port: number, group: string, isMet: (fields: string[]) => boolean): Promise<string[]> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  try {
    return await new Promise<string[]>((resolve, reject) => {
      socket.on('error', reject).on('message', (bytes) => {
        const fields = bytes.toString().replace('\n', '').split('\t');
        if (fields[1] === String(port) && isMet(fields)) resolve(fields);
      });
      socket.bind(9265, () => socket.addMembership(group));
    });
  } finally {
    socket.close();
  }
}
