// A simulation on the caller's thread, with the server on a thread beside it.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { double, int } from '../../model/state/declare.js';
import { type Sim, simulation } from '../../simulation/executive/simulation.js';
import { type BesideOptions, type ServedBeside, serveBeside } from './serve-beside.js';

const QUIET: BesideOptions = { port: 0, udp: 'off', discovery: false };
const POLL_MILLIS = 10;

function counting(sim: Sim): void {
  const x = sim.object('o').component('x', double());
  sim.job(0.01, () => {
    x.value += 1;
  });
  sim.function('stop', () => sim.stop());
}

describe('a simulation on its own thread with the server beside it', () => {
  const open: ServedBeside[] = [];

  async function serve(options: BesideOptions, build = counting): Promise<ServedBeside> {
    const served = await serveBeside(simulation({ name: 'beside', frameSeconds: 0.01 }, build), {
      ...QUIET,
      ...options,
    });
    open.push(served);
    return served;
  }

  afterEach(async () => {
    for (const served of open.splice(0)) await served.close();
  });

  async function call(served: ServedBeside, method: string, params: object): Promise<Record<string, never>> {
    const response = await fetch(`http://127.0.0.1:${served.port}/jsonrpc`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return ((await response.json()) as { result: Record<string, never> }).result;
  }
  const get = (served: ServedBeside) => call(served, 'var/get', { aliases: ['o.x'] });

  it('runs a frame with each call of advance, in a loop that never waits, too; applies what clients ask for between them', async () => {
    const served = await serve({ drive: 'caller' });
    expect((await get(served)).values).to.deep.equal({ 'o.x': 0 });
    for (let i = 0; i < 300; i++) expect(served.advance()).to.equal(true);
    expect(await get(served)).to.deep.include({
      values: { 'o.x': 300 },
      sim_time: { sec_si: 3, label: 'sim_elapsed' },
    });
    await call(served, 'var/set', { alias: 'o.x', value: 50 });
    expect((await get(served)).values).to.deep.equal({ 'o.x': 50 });
    served.advance();
    expect((await get(served)).values).to.deep.equal({ 'o.x': 51 });
    expect(await call(served, 'sim/control', { action: 'freeze' })).to.include({ mode: 'freeze' });
    served.advance();
    expect((await get(served)).values).to.deep.equal({ 'o.x': 51 });
    await endsTwice(served);
  });

  /** Ends when it is closed, twice if need be. */
  async function endsTwice(served: ServedBeside): Promise<void> {
    await served.close();
    await served.close();
    expect(await served.ended).to.equal('closed by the program');
  }

  it('is read, written, called and controlled by its program without a socket', async () => {
    const refusal = (promise: Promise<unknown>) => promise.then(String, (error: Error) => [error.name, error.message]);
    const far: number[] = [];
    const build = (sim: Sim): void => {
      counting(sim);
      const o = sim
        .object('p')
        .components({ far: double({ units: 'm' }), n: int(), sent: double({ access: 'write-only' }) });
      sim.object('tank').mirror('level', double(), { get: () => far.length, set: (level) => far.push(level) });
      sim.function('double', { takes: { x: double() }, gives: double() }, ({ x }) => 2 * x + o.n);
    };
    const served = await serve({ drive: 'caller' }, build);
    await served.set('p.far', 250, 'cm');
    expect([await served.get('p.far'), await served.get('p.far', 'mm')]).to.deep.equal([2.5, 2500]);
    await served.set('tank.level', 7);
    expect([far, await served.get('tank.level')]).to.deep.equal([[7], 1]);
    expect(await served.call('double', 3)).to.equal(6);
    expect((await call(served, 'var/get', { aliases: ['p.far'] })).values).to.deep.equal({ 'p.far': 2.5 });
    served.advance();
    await served.control('freeze');
    served.advance();
    expect(await served.get('o.x')).to.equal(1);
    expect(await refusal(served.get('p.fat'))).to.deep.include('UnknownVariableError');
    expect(await refusal(served.get('p.sent'))).to.deep.equal(['WriteOnlyError', 'p.sent is write-only']);
    expect(await refusal(served.set('p.n', 1.5))).to.deep.equal([
      'AssignmentError',
      'p.n is an int; the number 1.5 does not fit',
    ]);
    expect(await refusal(served.call('triple', 3))).to.deep.include('RequestError');
    expect(await refusal(served.control({ action: 'real-time' } as never))).to.deep.equal([
      'RequestError',
      'the control real-time needs enabled, a boolean',
    ]);
    const last = refusal(served.control('stop'));
    const late = refusal(served.set('p.n', 1));
    expect([await last, await served.ended]).to.deep.equal(['undefined', 'stopped by a client']);
    expect(await late).to.equal('undefined');
    expect(await refusal(served.set('p.n', 2))).to.deep.equal(['RequestError', 'the simulation has ended']);
  });

  it('answers its program behind a large checkpoint of a client, though the program advances nothing meanwhile', async () => {
    const runDirectory = mkdtempSync(join(tmpdir(), 'varwire-beside-'));
    after(() => rmSync(runDirectory, { recursive: true }));
    const served = await serve({ drive: 'caller', runDirectory }, (sim) => {
      counting(sim);
      sim.object('large').component('x', double(1_000_000));
    });
    const saved = call(served, 'sim/checkpoint', { file: 'large' });
    await served.set('o.x', 5);
    expect(await saved).to.include({ file: 'large' });
    expect(await served.get('o.x')).to.equal(5);
  });

  it('answers its program in the next turn when timers drive it, and never within a job', async () => {
    let asked: Promise<void> | undefined;
    let within: number | undefined;
    const served: ServedBeside = await serve({}, (sim) => {
      const x = sim.object('o').component('x', double());
      sim.job(0.01, () => {
        if (asked || sim.timeSeconds < 0.05) return;
        asked = served.set('o.x', 5);
        within = x.value;
      });
    });
    while (!asked) await new Promise((resolve) => setImmediate(resolve));
    await asked;
    expect([within, await served.get('o.x')]).to.deep.equal([0, 5]);
    const unanswered = served.set('o.x', 6).catch((error: Error) => error.message);
    await served.close();
    expect(await unanswered).to.equal('the simulation has ended: closed by the program');
  });

  it('is driven by timers in real time otherwise, and cannot be advanced; ends when it is closed', async () => {
    const served = await serve({});
    const waited = await call(served, 'var/wait', { condition: 'o.x >= 5', timeout_ms: 5000 });
    expect(waited.value).to.be.at.least(5);
    expect(() => served.advance()).to.throw(
      "timers drive this simulation: serve it with { drive: 'caller' } to advance it",
    );
    await endsTwice(served);
  });

  it('says where it can be reached, and what is spoken there; hands on the log; ends when the simulation does', async () => {
    const log: string[] = [];
    let logged = () => {};
    const arrived = new Promise<void>((resolve) => {
      logged = resolve;
    });
    const hear: BesideOptions['log'] = (level, text) => {
      log.push(`${level}: ${text}`);
      logged();
    };
    let stop = () => {};
    const served = await serve({ drive: 'caller', messages: 'off', http: 0, log: hear }, (sim) => {
      sim.job(0.01, () => sim.say('hot', 'warning'));
      stop = () => sim.stop();
    });
    const [trick, http] = served.endpoints;
    expect(served.endpoints.map(({ name, protocol }) => [name, protocol])).to.deep.equal([
      ['trick', 'tcp'],
      ['http', 'tcp'],
      ['foxglove', 'tcp'],
      ['edge', 'tcp'],
    ]);
    expect(trick).to.deep.include({ host: served.host, port: served.port, speaks: ['Trick text'] });
    expect(http?.port).not.to.equal(served.port);
    expect((await fetch(`http://127.0.0.1:${http?.port}/metrics`)).status).to.equal(200);
    served.advance();
    await arrived;
    expect(log).to.deep.equal(['warning: hot']);
    stop();
    expect([served.advance(), served.advance()]).to.deep.equal([false, false]);
    expect(await served.ended).to.equal('stopped by the simulation');
  });

  /** Asks for the health until its status is the one given; prints what it says. */
  const ASKING =
    'const [, port, status] = process.argv; for (;;) { const answer = await fetch("http://127.0.0.1:" + port + "/healthz");' +
    'const text = await answer.text(); if (answer.status === Number(status)) { process.stdout.write(text); break; }' +
    ` await new Promise((resolve) => setTimeout(resolve, ${POLL_MILLIS})); }`;
  const askingFor = (status: number, { port }: ServedBeside) => [
    '--input-type=module',
    '-e',
    ASKING,
    `${port}`,
    `${status}`,
  ];

  it('says which job keeps the program, and is unhealthy when its frames stop although it runs or a job has failed, until it goes on', async () => {
    let hold = (): void => undefined;
    const served = await serve({ drive: 'caller', stuckAfterMillis: 300 }, (sim) => {
      sim.job(0.01, function hog() {
        hold();
      });
    });
    let said = '';
    // This thread is blocked until another process has seen the fault.
    hold = () => {
      said = spawnSync(process.execPath, askingFor(503, served), { encoding: 'utf8', timeout: 30_000 }).stdout;
    };
    served.advance();
    hold = () => undefined;
    expect(said).to.match(/^the simulation has not answered for [\d.]+ s: it is busy with job hog\n$/);
    expect(await healthOf(served, 200)).to.equal('ok\n');
    expect(await healthOf(served, 503)).to.match(/^no frame has come for [\d.]+ s although the simulation runs\n$/);
    expect(await healthOf(served, 200)).to.equal('ok\n');
    hold = () => {
      throw new Error('told to');
    };
    served.advance();
    expect(await healthOf(served, 503)).to.equal('job hog failed: told to\n');
  });

  /** Asks until the status is the one given; a server that is to be well gets its frames meanwhile. */
  async function healthOf(served: ServedBeside, status: number): Promise<string> {
    const { port } = served;
    for (;;) {
      if (status === 200) served.advance();
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`);
      const text = await answer.text();
      if (answer.status === status) return text;
      await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS));
    }
  }

  const refusal = async (starting: Promise<unknown>): Promise<string> =>
    starting.then(
      () => 'it served',
      (error: Error) => error.message,
    );

  it('is closed by a job at the end of the frame, with the jobs of the shutdown last and once', async () => {
    const seen: string[] = [];
    const served: ServedBeside = await serve({ drive: 'caller' }, (sim) => {
      sim.job(0.01, () => {
        void served.close();
        seen.push('job');
      });
      sim.job(0.01, () => void seen.push('later'), { order: 65_000 });
      sim.job('shutdown', () => void seen.push('shutdown'));
    });
    expect(served.advance()).to.equal(false);
    await served.close();
    expect(seen).to.deep.equal(['job', 'later', 'shutdown']);
  });

  it('is refused when its build throws', async () => {
    const starting = serve({}, () => {
      throw new Error('no model');
    });
    expect(await refusal(starting)).to.equal('no model');
  });

  it('is refused when its port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    expect(await refusal(serve({ port }))).to.match(new RegExp(`${port}`));
    other.close();
  });

  it('is refused when the server would be open to anybody', async () => {
    expect(await refusal(serve({ host: '0.0.0.0' }))).to.match(/--allow|tokens/);
  });
});
