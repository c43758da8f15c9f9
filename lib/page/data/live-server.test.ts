import { effect } from '@preact/signals';
import { expect } from 'chai';
import type { LinkState, Sample, VariableFacts, VarwireClient } from '../../clients/browser/index.js';
import { LiveServer } from './live-server.js';
import type { Session, SimStatus, WatchOptions } from './server.js';

const SESSION = { simulation: 'ball', version: '1', started: 'T1', may_change: true, methods: ['var/get'] };

/** A client without a server: a test says what is answered and what comes. */
class FakeClient {
  session: object = SESSION;
  catalogVersion = 1;
  refreshed = 0;
  readonly watches = new Map<string, (sample: Sample) => void>();
  readonly refusals = new Map<string, (alias: string, sentence: string) => void>();
  private listener: (state: LinkState) => void = () => {};

  onState(listener: (state: LinkState) => void): void {
    this.listener = listener;
  }

  become(state: LinkState): Promise<void> {
    this.listener(state);
    return new Promise((resolve) => setTimeout(resolve, 0));
  }

  async call(method: string): Promise<unknown> {
    if (method === 'session/me') return this.session;
    return { name: 'ball', mode: 'run', sim_time: { sec_si: 3 }, catalog_version: this.catalogVersion };
  }

  refresh(): void {
    this.refreshed++;
  }

  watch([alias = '']: readonly string[], listener: (sample: Sample) => void, options: WatchOptions): () => void {
    if (options.onRefused) this.refusals.set(alias, options.onRefused);
    this.watches.set(alias, listener);
    return () => void this.watches.delete(alias);
  }
}

function setUp() {
  const client = new FakeClient();
  const pictures: (() => void)[] = [];
  const timers: { millis: number; call: () => void }[] = [];
  let reloads = 0;
  const server = new LiveServer(client as unknown as VarwireClient, {
    nextPicture: (call) => void pictures.push(call),
    after: (millis, call) => {
      const timer = { millis, call };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), 1);
    },
    linkTo: (path) => path,
    reload: () => void reloads++,
  });
  const draw = (): void => {
    for (const call of pictures.splice(0)) call();
  };
  const fire = (millis: number): void => timers.find((timer) => timer.millis === millis)?.call();
  const sample = (frame: number, value: number): Sample => ({
    frame,
    seconds: frame / 100,
    dropped: 0,
    jumps: 0,
    values: [value],
  });
  return { client, server, draw, fire, sample, reloads: () => reloads, timers };
}

describe('the server as the page sees it', () => {
  it('says who it is, what this client may do, and what the simulation does', async () => {
    const { client, server, draw } = setUp();
    await client.become('connected');
    await server.greeted;
    draw();
    expect(server.mayChange.value).to.equal(true);
    expect([server.has('var/get'), server.has('event/list')]).to.deep.equal([true, false]);
    expect([server.status.value?.mode, server.time.value, server.isStale.value]).to.deep.equal(['run', 3, false]);
  });

  it('goes on with the same server after a loss, and begins anew with another', async () => {
    const { client, server, reloads } = setUp();
    await client.become('connected');
    await client.become('lost');
    expect([server.state.value, server.isStale.value]).to.deep.equal(['lost', true]);
    await client.become('connected');
    expect([reloads(), server.isStale.value]).to.deep.equal([0, false]);
    for (const other of [{ started: 'T2' }, { version: '2' }, { simulation: 'cannon' }]) {
      client.session = { ...SESSION, ...other };
      await client.become('connected');
    }
    expect(reloads()).to.equal(3);
  });

  it('is met by the answers of a request before it is connected, and greeted later', async () => {
    const { client, server, timers, reloads } = setUp();
    const status = { name: 'ball', mode: 'freeze', sim_time: { sec_si: 2 }, catalog_version: 1 };
    server.begin(SESSION as unknown as Session, status as unknown as SimStatus);
    await server.greeted;
    expect([server.mayChange.value, server.status.value?.mode, server.state.value]).to.deep.equal([
      true,
      'freeze',
      'connecting',
    ]);
    client.session = { ...SESSION, started: 'T2' };
    await client.become('connected');
    expect(reloads()).to.equal(0);
    for (const { millis, call } of [...timers]) if (millis === 500) call();
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(reloads()).to.equal(1);
  });

  it('shows first values until those of the subscription come', () => {
    const { client, server, draw, sample } = setUp();
    const mass = server.reading('mass');
    const seen: unknown[] = [];
    const stop = effect(() => void seen.push(mass.value?.value));
    const facts = { alias: 'mass', kind: 'number', dim: [], type_path: 'double' } as unknown as VariableFacts;
    const first = { frame: 7, sim_time: { sec_si: 0.07 }, values: { mass: 'NaN' } };
    server.showFirst(first, [facts, { ...facts, alias: 'nobody reads it' }]);
    client.watches.get('mass')?.(sample(8, 5));
    draw();
    server.showFirst({ ...first, values: { mass: 1 } }, [facts]);
    expect(seen).to.deep.equal([undefined, Number.NaN, 5]);
    stop();
  });

  it('is stale when no answer comes, and asks what variables are when the catalog has changed', async () => {
    const { client, server, fire } = setUp();
    await client.become('connected');
    client.catalogVersion = 2;
    fire(500);
    await client.become('connected');
    expect(client.refreshed).to.equal(1);
    fire(1500);
    expect(server.isStale.value).to.equal(true);
  });

  it('waits for a variable that is refused, as long as somebody reads why', async () => {
    const { client, server, fire, sample, draw } = setUp();
    const refusal = server.refusal('late');
    const seen: (string | undefined)[] = [];
    const stop = effect(() => void seen.push(refusal.value));
    client.refusals.get('late')?.('late', 'there is no variable late');
    client.watches.get('late')?.(sample(1, 4));
    draw();
    expect(seen).to.deep.equal([undefined, 'there is no variable late', undefined]);
    stop();
    fire(1000);
    expect(client.watches.size).to.equal(0);
  });

  it('watches a variable while somebody reads it, and shows its latest value once a picture', async () => {
    const { client, server, draw, fire, sample } = setUp();
    const reading = server.reading('ball.height');
    expect(server.reading('ball.height')).to.equal(reading);
    expect(client.watches.size).to.equal(0);
    const seen: unknown[] = [];
    const stop = effect(() => void seen.push(reading.value?.value));
    const tell = client.watches.get('ball.height') as (sample: Sample) => void;
    for (let frame = 1; frame <= 50; frame++) tell(sample(frame, frame));
    draw();
    expect(seen).to.deep.equal([undefined, 50]);
    expect(server.time.value).to.equal(0.5);
    stop();
    expect(client.watches.size).to.equal(1);
    fire(1000);
    expect(client.watches.size).to.equal(0);
  });
});
