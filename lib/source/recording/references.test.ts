// A recording beside a simulation: looked for, read at the simulation's time, remembered, and never written.
import { truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { TestServer, turn } from '../../testing/aids/http-exchange.js';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';
import type { Source } from '../source.js';
import { openReferences } from './references.js';

const TIMES = Array.from({ length: 200 }, (_, row) => 1.2 + row / 50);
const HEIGHT = 'reference1.ball.position[1]';

describe('a recording beside a simulation', () => {
  const here = recordingsHere();

  async function serve(more: Parameters<typeof trkFile>[0] = []): Promise<TestServer> {
    const height = doubles(
      'ball.position[1]',
      TIMES.map((seconds) => 10 * seconds),
      'm',
    );
    const columns = [doubles('sys.exec.out.time', TIMES, 's'), height];
    const count = {
      name: 'wheel.count',
      code: 8,
      sizeBytes: 8,
      values: TIMES.map((_, row) => 2n ** 60n + BigInt(row)),
    };
    const file = here.path('before.trk');
    writeFileSync(file, trkFile([...columns, count, ...more]));
    const server = new TestServer();
    (server.ball as Source).references = await openReferences([file]);
    return server;
  }
  const valueIn = async (server: TestServer, alias: string, units?: string): Promise<unknown> =>
    (await server.call('var/get', { aliases: [alias], ...(units && { units }) })).values[alias];

  it('is listed, searched, described and shown level by level', async () => {
    const server = await serve();
    const aliases = async (method: string, params: object): Promise<string[]> => {
      const answer = await server.call(method, params);
      return (answer.matches ?? answer.children ?? answer).map(({ alias }: { alias: string }) => alias);
    };
    const [array, count] = ['reference1.ball.position', 'reference1.wheel.count'];
    expect(await aliases('var/list', {})).to.deep.equal(['ball.position', 'ball.velocity', array, count]);
    expect(await aliases('var/list', { after: 'ball.velocity', limit: 1 })).to.deep.equal([array]);
    expect(await aliases('var/list', { after: array })).to.deep.equal([count]);
    expect(await aliases('var/list', { under: 'reference1.ball' })).to.deep.equal([array]);
    expect(await aliases('var/children', {})).to.deep.equal(['ball', 'reference1']);
    expect(await aliases('var/children', { path: array })).to.deep.equal([`${array}[0]`, `${array}[1]`]);
    expect(await aliases('var/search', { text: 'reference1 posit' })).to.include(array);
    expect(await aliases('var/search', { text: 'count', under: 'reference1' })).to.deep.equal([count]);
    expect(await server.call('var/exists', { alias: HEIGHT })).to.equal(true);
    const facts = { kind: 'number', type_path: 'double', unit: 'm', access: 'read-only' };
    expect(await server.call('var/describe', { alias: HEIGHT })).to.include(facts);
    expect((await server.call('var/units', { alias: HEIGHT, to: 'cm' })).conversion.slope).to.equal(100);
    const { error } = await server.respond('var/get', { aliases: ['reference1.ball.positron'] });
    expect(error.message).to.include('did you mean reference1.ball.position?');
  });

  it('has the values of its last row that is not later than the clock', async () => {
    const server = await serve();
    expect(await valueIn(server, HEIGHT)).to.equal(10 * TIMES[1]!);
    expect(await valueIn(server, HEIGHT, 'cm')).to.be.closeTo(1000 * TIMES[1]!, 1e-9);
    expect(await valueIn(server, 'reference1.wheel.count')).to.equal(String(2n ** 60n + 1n));
    // What is in no row is not known.
    expect(await valueIn(server, 'reference1.ball.position')).to.deep.equal(['NaN', 10 * TIMES[1]!]);
    expect(await valueIn(server, 'reference1.ball')).to.deep.equal({ position: ['NaN', 10 * TIMES[1]!] });
    expect(await valueIn(server, `=ball.position[1] - ${HEIGHT}`)).to.be.closeTo(9.1 - 10 * TIMES[1]!, 1e-12);
    // Forward by rows and by far, back, beyond both ends.
    for (const seconds of [1.31, 4, 2, 1.2, 1000, 1.5]) {
      server.ball.publish({ clockSeconds: seconds });
      expect(await valueIn(server, HEIGHT)).to.equal(10 * TIMES.findLast((time) => time <= seconds)!);
    }
    server.ball.publish({ clockSeconds: 1 });
    expect(await valueIn(server, HEIGHT)).to.equal(null);
  });

  it('is subscribed to with what the simulation has, and remembered by its file', async () => {
    const server = await serve();
    const aliases = ['ball.position[1]', HEIGHT];
    const { sse_url } = await server.call('var/subscribe', { aliases, cycle_ms: 0, history: true });
    const stream = await server.stream(sse_url.replace('/sse?sub=', ''));
    server.ball.ticks(10);
    await turn();
    const { sim_time, values } = stream.data.at(-1).params ?? stream.data.at(-1);
    expect(values[HEIGHT]).to.equal(10 * TIMES.findLast((time) => time <= sim_time.sec_si)!);
    const { series } = await server.call('var/history', { aliases, units: { [HEIGHT]: 'km' }, from: 1.2, to: 1.25 });
    expect(series[HEIGHT].times).to.deep.equal(TIMES.slice(0, 3));
    expect(series[HEIGHT].values[2]).to.be.closeTo(TIMES[2]! / 100, 1e-12);
    const stretch = { aliases: [HEIGHT], from: 0, to: 100 };
    expect((await server.call('var/statistics', stretch)).series[HEIGHT]).to.include({ count: TIMES.length });
    (server.ball as Source).references?.recorded.close();
  });

  it('cannot be written, nor waited for on change, in one sentence', async () => {
    const server = await serve();
    const set = await server.respond('var/set', { alias: HEIGHT, value: 1 });
    expect(set.error.message).to.equal(`${HEIGHT} is read-only`);
    const change = await server.respond('var/subscribe', { aliases: [HEIGHT], on: 'change' });
    expect(change.error.message).to.include('a recording beside the simulation, is sent on each cycle');
    expect(server.ball.requests).to.deep.equal([]);
  });

  it('has nothing any more, and hurts nobody, when its file is cut', async () => {
    const server = await serve();
    truncateSync(here.path('before.trk'), 100);
    expect(await valueIn(server, HEIGHT)).to.equal(null);
    expect(await valueIn(server, 'ball.position[1]')).to.equal(9.1);
  });

  it('has names of their own where those of the file are no structures together', async () => {
    const server = await serve([doubles('ball.position[1].x', TIMES)]);
    expect(await valueIn(server, 'reference1.recording.ball_position_1_')).to.equal(10 * TIMES[1]!);
  });
});
