// A CSV file of telemetry, which is no simulation, served to Trick text and JSON-RPC over real sockets.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import {
  array,
  double,
  type Feed,
  longLong,
  monteCarlo,
  openRecording,
  playRecording,
  type RunningServer,
  run,
  serveSource,
  simulation,
  struct,
} from '../lib/index.js';
import { readVariable } from '../lib/model/state/read.js';
import ball from '../sims/ball.js';
import { commandHere } from './command-here.js';
import { call, post, type Values } from './http-client.js';
import { WireClient } from './wire-client.js';

const CSV = 'time [s],altitude [m],speed [m/s],stage\n0,0,0,1\n0.02,10.5,50,1\n0.04,42,-7,2\n';
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
/** As trick_sys.sched.mode has it. */
const FREEZE = 1;
const LAST = 'recording.altitude,recording.speed,recording.stage';

interface Status {
  readonly mode: string;
  readonly elapsed_sec: number;
  readonly playback: object;
}

/** Runs a recording until it stands still at its end. */
const replayed = ({ source, run: begin }: ReturnType<typeof playRecording>): Promise<void> =>
  new Promise((resolve) => {
    source.onFrame(({ header }) => header.mode === FREEZE && resolve());
    begin();
  });

describe('a file of telemetry', () => {
  let directory: string;
  let server: RunningServer;
  let wire: WireClient;
  let feed: Feed;
  let replay: () => Promise<void>;
  const log: string[] = [];

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-telemetry-'));
    const file = join(directory, 'flight.csv');
    writeFileSync(file, CSV);
    const flight = playRecording(openRecording(file));
    feed = flight.source;
    replay = () => replayed(flight);
    log.length = 0;
    server = await serveSource(feed, {
      port: 0,
      udp: 'off',
      discovery: false,
      log: (_level, text) => void log.push(text),
    });
    wire = await WireClient.tcp(server.port);
  });
  afterEach(async () => {
    wire.close();
    await server.close();
    rmSync(directory, { recursive: true });
  });

  const trick = async (...commands: string[]): Promise<string> => {
    wire.send(commands.map((command) => `trick.${command}\n`).join(''));
    return wire.line();
  };
  const refusedWith = async (method: string, params: object): Promise<string> => {
    const { text } = await post(server.port, JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
    return (JSON.parse(text) as { error: { message: string } }).error.message;
  };

  it('is read as a simulation is, row by row, with the variables that Trick adds', async () => {
    const tics: number[] = [];
    server.source.onFrame(({ header }) => tics.push(header.timeTics));
    const aliases = ['recording.altitude', 'recording.stage', 'trick_sys.sched.time_tics'];
    await replay();
    // The first row is there before; the last frame shows that it stands still at its end.
    expect(tics).to.deep.equal([20_000, 40_000, 40_000]);
    expect(await call(server.port, 'var/get', { aliases, units: { 'recording.altitude': 'cm' } })).to.deep.equal({
      frame: 6,
      sim_time: { sec_si: 0.04, label: 'sim_elapsed' },
      values: { 'recording.altitude': 4200, 'recording.stage': 2, 'trick_sys.sched.time_tics': 40_000 },
    });
    expect(await trick(`var_send_once("${LAST}", 3)`)).to.equal('5\t42\t-7\t2');
  });

  it('is served by the forty lines of docs/embedding.md', async () => {
    const page = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8');
    const blocks = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block = '']) => block);
    const [program = ''] = blocks.filter((block) => block.includes('flight.csv'));
    expect(program.split('\n').length).to.be.within(10, 40);
    const file = JSON.stringify(join(directory, 'flight.csv'));
    const here = program.replace("'flight.csv'", file).replace('port: 7000', "port: 0, udp: 'off', discovery: false");
    const args = ['--input-type=module', '--eval', here];
    const child = spawn(process.execPath, args, { cwd: PROJECT, stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [said] = await once(child.stdout, 'data');
      const port = Number(/on port (\d+)/.exec(String(said))?.[1]);
      await call(port, 'var/wait', { condition: 'flight.stage == 2', timeout_ms: 30_000 });
      const units = { 'flight.altitude': 'cm' };
      const last = await call<Values>(port, 'var/get', { aliases: ['flight.altitude', 'flight.speed'], units });
      expect(last.values).to.deep.equal({ 'flight.altitude': 4200, 'flight.speed': -7 });
      expect(last.sim_time.sec_si).to.equal(0.04);
    } finally {
      child.kill();
    }
  });

  describe('of every kind that varwire writes', () => {
    /** The values of variables at the last row of a file. */
    async function last(text: string, paths: readonly string[]): Promise<readonly unknown[]> {
      const other = playRecording(openRecording(written(text)));
      other.source.onFrame(() => undefined);
      await replayed(other);
      const variables = paths.map((path) => other.source.catalog.find(path));
      return variables.map((variable) => variable && readVariable(variable, other.source.frame.memory));
    }
    function written(text: string): string {
      const file = join(directory, 'other.csv');
      writeFileSync(file, text);
      return file;
    }
    const unitsIn = (text: string, path: string) =>
      playRecording(openRecording(written(text))).source.catalog.find(path)?.units;

    it('a recording, by the names and units that it has, exactly', async () => {
      const craft = simulation({ name: 'craft', frameSeconds: 0.01 }, (sim) => {
        const tank = struct('Tank', { level: double({ units: 'm' }), mass: double({ units: 'kg' }) });
        const object = sim.object('craft');
        const tanks = object.component('tanks', array(tank, 2));
        const count = object.component('count', longLong());
        object.component('matrix', double([2, 2]), [
          [1, 2],
          [3, 4],
        ]);
        sim.record('all', { cycleSeconds: 0.01, variables: ['craft.*'] });
        sim.job(0.01, () => {
          tanks[1].level = Math.PI;
          count.value = 2n ** 60n + 1n;
        });
      });
      await run(craft, { untilSeconds: 0.02, runDirectory: directory });
      const text = readFileSync(join(directory, 'log_all.csv'), 'utf8');
      const paths = ['craft.tanks[1].level', 'craft.count', 'craft.matrix', 'craft.tanks[0].mass'];
      const matrix = [
        [1, 2],
        [3, 4],
      ];
      expect(await last(text, paths)).to.deep.equal([Math.PI, 2n ** 60n + 1n, matrix, 0]);
      expect(unitsIn(text, 'craft.tanks[1].level')).to.equal('m');
    });

    it("a recording of NASA's Trick", async () => {
      const text = readFileSync(new URL('../../compat-tests/reference/log_ball_csv.csv', import.meta.url), 'utf8');
      const [head = '', ...rows] = text.trim().split('\n');
      const names = head.split(',').slice(1);
      const shown = await last(
        `${[head, ...rows.slice(0, 3)].join('\r\n')}\r\n`,
        names.map((title) => title.replace(/ \{.*/, '')),
      );
      expect(shown.map(Number)).to.deep.equal(rows[2]?.split(',').slice(1).map(Number));
    });

    it('what watch and history print, and what the page saves', async () => {
      const watched = [
        'time,ball.position,ball.mode,ball.name,ball.on,ball.x',
        '0.01,"[1, 2]",LANDED,"a, ""b""",true,nan',
        '0.02,"[3, -4]",FLYING,c,false,inf',
      ].join('\n');
      const paths = ['ball.position', 'ball.mode', 'ball.name', 'ball.on', 'ball.x'];
      expect(await last(watched, paths)).to.deep.equal([[3, -4], 'FLYING', 'c', false, Number.POSITIVE_INFINITY]);
      const past = 'time {s},ball.x {cm},ball.x min {1},"\'=a,b {m}"\n0,1,5,2\n0.02,,6,3\n';
      expect(await last(past, ['ball.x', 'ball.x_min', 'recording._a_b'])).to.deep.equal([Number.NaN, 6, 3]);
      expect([unitsIn(past, 'ball.x'), unitsIn(past, 'recording._a_b')]).to.deep.equal(['cm', 'm']);
      const twice = 'time [s],height [m],height [m],pos[0] [1/s]\n0,1,2,3\n';
      expect(await last(twice, ['recording.height_2', 'recording.pos[0]'])).to.deep.equal([2, 3]);
      expect(unitsIn(twice, 'recording.pos[0]')).to.equal('1/s');
    });

    it("the times of a countdown, and Trick's own variables", async () => {
      const past = 'time {s},trick_sys.sched.frame_count {--}\n-0.02,1\n-0.01,2\n';
      const { source } = playRecording(openRecording(written(past)));
      expect(source.playback).to.deep.equal({ firstSeconds: 0, lastSeconds: 0.01 });
      expect([source.frame.header.clockSeconds, source.info.clockLabel]).to.deep.equal([-0.02, 'recorded time']);
      expect(await last(past, ['recording.trick_sys.sched.frame_count'])).to.deep.equal([2]);
    });

    it('the table of a Monte Carlo, run by run, and the log of job times', async () => {
      const draw = (_: unknown, index: number) => ({ 'ball.position': [index, 10] });
      const table = await monteCarlo(ball, { runs: 2, untilSeconds: 0.02, read: ['ball.position'], draw });
      expect(playRecording(openRecording(written(table.csv()))).source.playback).to.deep.equal({
        firstSeconds: 0,
        lastSeconds: 1,
      });
      const [head, first] = table.csv().split('\n');
      const [given, position, seed] = await last(`${head}\n${first}\n`, [
        'ball.position',
        'ball.position_at_the_end',
        'recording.seed',
      ]);
      const [row] = table.rows;
      expect([given, position, seed]).to.deep.equal([[0, 10], row?.values['ball.position'], row?.seed]);
      expect(
        await last('jobID,startTime,stopTime\n 1001, 0.1, 0.1\n 1002, 0.11, 0.2\n', ['recording.jobID']),
      ).to.deep.equal([1002]);
    });

    it('and says what is no such file', () => {
      expect(() => playRecording(openRecording(written('name,value,units\nball.x,a,m\n')))).to.throw(
        'is no recording: none of its first lines has a number',
      );
      expect(() => playRecording(openRecording(written('')))).to.throw(
        'is no recording: none of its first lines has a number',
      );
    });
  });

  it('may have one row, and says when it has none', async () => {
    const file = join(directory, 'short.csv');
    writeFileSync(file, 'time,altitude\n5,1\n');
    const short = playRecording(openRecording(file));
    const { source } = short;
    await replayed(short);
    expect(source.playback).to.deep.equal({ firstSeconds: 5, lastSeconds: 5 });
    expect([source.frame.timeSeconds, source.frame.header.mode]).to.deep.equal([5, FREEZE]);
    writeFileSync(file, 'time,altitude\n');
    expect(() => playRecording(openRecording(file))).to.throw(
      `${file} is no recording: none of its first lines has a number`,
    );
  });

  it('ends when its owner says so', async () => {
    feed.finish('the file has come to its end');
    expect(await server.ended).to.equal('the file has come to its end');
  });

  it('shows Trick text the values in units and the time in tics', async () => {
    expect(await trick(`var_send_once("${LAST}", 3)`)).to.equal('5\t0\t0\t1');
    const list = ['var_pause()', 'var_add("recording.altitude", "km")', 'var_add("trick_sys.sched.time_tics")'];
    expect(await trick(...list, 'var_send()')).to.equal('0\t0 {km}\t0');
  });

  it('refuses every write with one sentence', async () => {
    const sentence = 'this source cannot be written: it is a recording';
    for (const wait of [false, true])
      expect(await refusedWith('var/set', { alias: 'recording.speed', value: 5, wait })).to.equal(sentence);
    const told = async (text: string): Promise<string> => {
      wire.send(`trick.var_set_send_stdio(True)\n${text}\n`);
      await wire.line();
      return wire.line();
    };
    expect(await told('trick.var_set("recording.speed", 5)')).to.equal(sentence);
    expect(await told('recording.speed = 5')).to.equal(sentence);
    expect(await told('trick.var_set("trick_sys.sched.software_frame", 5)')).to.equal(sentence);
    const { values } = await call<{ values: unknown }>(server.port, 'var/get', { aliases: ['recording.speed'] });
    expect(values).to.deep.equal({ 'recording.speed': 0 });
  });

  it('refuses a write of the command line with the same sentence', async () => {
    const { code, complaint } = await commandHere(['set', `127.0.0.1:${server.port}`, 'recording.speed', '5']);
    expect(complaint).to.equal('varwire: this source cannot be written: it is a recording\n');
    expect(code).to.equal(1);
  });

  it('refuses with one sentence what no recording can do', async () => {
    const sentence = 'this source can only run, freeze, step, change its rate and seek: it is a recording';
    expect(await trick('stop()', 'var_exists("recording.speed")')).to.equal('1\t1');
    expect(log.at(-1)).to.match(new RegExp(`: ${sentence}$`));
    expect(await refusedWith('sim/seek', { to_sec: 5 })).to.equal('times here are from 0 to 0.04 s; there is no 5 s');
    expect(await call(server.port, 'sim/status', {})).to.include({ mode: 'run', name: 'recording', clock_ratio: 1 });
  });

  it('is played: it goes to any of its times, stands still, and runs to its end again', async () => {
    const status = () => call<Status>(server.port, 'sim/status', {});
    const altitude = async () => (await call<Values>(server.port, 'var/get', { aliases })).values[aliases[0] as string];
    const aliases = ['recording.altitude'];
    await replay();
    expect(await status()).to.deep.include({
      mode: 'freeze',
      elapsed_sec: 0.04,
      clock_ratio: 1,
      playback: { first_sec: 0, last_sec: 0.04 },
    });
    const answer = await call(server.port, 'sim/seek', { to_sec: 0.03 });
    expect(answer).to.deep.include({ mode: 'freeze', sim_time: { sec_si: 0.02, label: 'sim_elapsed', jumps: 1 } });
    expect(await altitude()).to.equal(10.5);
    await call(server.port, 'sim/control', { action: 'clock_ratio', ratio: 0.5 });
    const isFrozen = new Promise<void>((resolve) => {
      server.source.onFrame(({ header }) => header.mode === FREEZE && header.timeTics === 40_000 && resolve());
    });
    expect(await trick('exec_run()', 'var_exists("recording.speed")')).to.equal('1\t1');
    await isFrozen;
    expect(await altitude()).to.equal(42);
    expect(await status()).to.include({ clock_ratio: 0.5 });
  });

  it('refuses copies at exact times, and copies as before', async () => {
    expect(await trick('var_set_copy_mode(1)', 'var_exists("recording.speed")')).to.equal('1\t1');
    const refusal = /: this source makes no frames at times that clients choose: it is a recording$/;
    expect(log.filter((line) => refusal.test(line))).to.have.length(1);
    expect(await trick('var_add("recording.speed")', 'var_cycle(0.01)')).to.equal('0\t0');
  });

  it('shows where it sends messages, and events, in the variables that Trick adds', async () => {
    const shown = await trick('var_send_once("trick_message.mdevice.enabled,trick_ip.mtv.mtv_count", 2)');
    expect(shown).to.equal('5\t1\t0');
    wire.send('ev = trick.new_event("one")\ntrick.add_event(ev)\n');
    expect(await trick('var_send_once("trick_ip.mtv.mtv_count", 1)')).to.equal('5\t1');
  });
});
