// A source on the same thread as its readers.
import { expect } from 'chai';
import { Mode } from '../model/frame/header.js';
import { double } from '../model/state/declare.js';
import { readVariable } from '../model/state/read.js';
import { type Sim, simulation } from '../simulation/executive/simulation.js';
import { startLocalSource } from '../testing/aids/local-source.js';
import { RequestError, type Source } from './source.js';

const shownValue = (source: Source, path: string): unknown => {
  const variable = source.catalog.find(path);
  return variable && readVariable(variable, source.frame.memory);
};

async function start(build: (sim: Sim) => void, realTime = true) {
  const clock = { millis: 0 };
  const definition = simulation(
    { name: 'local', frameSeconds: 0.01, realTime, clock: { label: 'UTC', seconds: (t) => 100 + t } },
    build,
  );
  const options = {
    arguments: [],
    directory: '/sims',
    file: 'local.js',
    runDirectory: 'RUN',
    nowMillis: () => clock.millis,
  };
  return { clock, ...(await startLocalSource(definition, options)) };
}

const withX = (sim: Sim): void => {
  const x = sim.object('o').component('x', double());
  sim.job(0.01, () => {
    x.value += 1;
  });
};

async function sentenceOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).to.be.instanceOf(RequestError);
  return (error as Error).message;
}

describe('a source on the same thread', () => {
  it('knows what it serves and has a first frame', async () => {
    const { source } = await start(withX);
    expect(source.info).to.deep.equal({
      name: 'local',
      clockLabel: 'UTC',
      directory: '/sims',
      file: 'local.js',
      runDirectory: 'RUN',
    });
    expect([source.frame.header.number, source.frame.header.clockSeconds]).to.deep.equal([1, 100]);
  });

  it("runs by the test's clock", async () => {
    const { source, host, clock } = await start(withX);
    const numbers: number[] = [];
    source.onFrame(({ header }) => numbers.push(header.tick));
    for (let wait = host.running.turn(); numbers.length < 3; wait = host.running.turn()) clock.millis += wait;
    expect([numbers, clock.millis, shownValue(source, 'o.x')]).to.deep.equal([[1, 2, 3], 20, 3]);
  });

  it('answers a request once its frame is the latest', async () => {
    const { source, host } = await start(withX);
    host.running.turn();
    const answer = await source.submit({ kind: 'write', writes: [{ path: 'o.x', value: 50 }] });
    expect([answer.frame, source.frame.header.number, shownValue(source, 'o.x')]).to.deep.equal([3, 3, 50]);
  });

  it('refuses with a sentence and goes on', async () => {
    const { source } = await start(withX);
    const sentence = await sentenceOf(source.submit({ kind: 'write', writes: [{ path: 'o.y', value: 1 }] }));
    expect(sentence).to.match(/y/);
    await source.submit({ kind: 'control', control: { action: 'freeze' } });
    expect(source.frame.header.mode).to.equal(Mode.freeze);
  });

  it('shows the exit mode, then tells the end, and refuses what comes after', async () => {
    const { source } = await start(withX);
    const log: string[] = [];
    source.onFrame(({ header }) => log.push(`mode ${header.mode}`));
    source.onEnd((reason) => log.push(reason));
    await source.submit({ kind: 'control', control: { action: 'stop' } });
    expect(log).to.include('mode 6');
    expect(log.at(-1)).to.equal('stopped by a client');
    expect(log.filter((line) => line === 'stopped by a client').length).to.equal(1);
    const late: string[] = [];
    source.onEnd((reason) => late.push(reason));
    expect(late).to.deep.equal(['stopped by a client']);
    expect(await sentenceOf(source.submit({ kind: 'control', control: { action: 'run' } }))).to.equal(
      'the simulation has ended: stopped by a client',
    );
  });

  it('hands on what the simulation says', async () => {
    const { source, host } = await start((sim) => sim.job(0.01, () => sim.say('tick', 'warning')) && undefined);
    const said: unknown[] = [];
    source.onMessage((message) => said.push(message));
    host.running.turn();
    expect(said).to.deep.equal([{ level: 'warning', text: 'tick', timeSeconds: 0 }]);
  });

  it('refuses what still waits when it is closed', async () => {
    const { source } = await start(withX);
    const waiting = sentenceOf(source.submit({ kind: 'control', control: { action: 'run' } }));
    await source.close();
    await source.close();
    expect(await waiting).to.equal('the simulation has ended: the server is closing');
  });
});
