// What anybody may send to a farm, and what its server may refuse: no run is lost, nothing hangs, and a sentence says why.
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { expect } from 'chai';
import { type MonteCarloTable, monteCarlo } from '../lib/index.js';
import { FORM, type Study } from '../lib/run/farm/messages.js';
import { FarmHere } from './farm-here.js';
import { draw } from './fixture/fatal.js';
import { NatsServer } from './nats-server.js';

const FILE = fileURLToPath(new URL('./fixture/fatal.js', import.meta.url));
const ASKED = { runs: 40, untilSeconds: 0.3, read: ['probe.value'], draw } as const;
const HUGE = 900_000;
const FLOOD = 5000;
/** A run of some seconds of wall time. */
const LONG_SECONDS = 200;
/** Runs of a study that ends, and of one that goes on meanwhile. */
const [FEW, MANY] = [1, 5000];
const STINT_MILLIS = 500;
const ANNOUNCE_MILLIS = 100;
const STUDY: Study = {
  ...{ form: FORM, id: 'a'.repeat(32), asked: 'somebody', seconds: 0, simulation: 'one', fingerprint: 'f' },
  ...{ runs: 1, lostAfterMillis: 5000 },
};
const GARBAGE = [
  '',
  'null',
  '{}',
  '[[]]',
  '{"__proto__":{"rows":[]}}',
  '['.repeat(HUGE),
  JSON.stringify({
    name: 'x'.repeat(HUGE / 2),
    worker: 'x'.repeat(HUGE / 2),
    jobs: [],
    rows: [],
    millisPerRun: 1e-300,
  }),
  JSON.stringify({ worker: 'somebody', jobs: ['none'] }),
  JSON.stringify({ rows: [], millisPerRun: -1 }),
  JSON.stringify({ rows: [{ run: 1e9, seed: 0, set: {}, values: {} }], millisPerRun: 0 }),
  JSON.stringify({ rows: [{ run: 0, seed: 0, set: {}, values: { 'probe.value': 17 } }], millisPerRun: 0 }),
  JSON.stringify({ name: 'wrong', runs: [{ run: 0, seed: 0, set: {}, read: ['nothing'], untilSeconds: 1e-9 }] }),
  JSON.stringify({ name: 'endless', runs: [{ run: 'one', seed: 0, set: {}, read: [] }] }),
];

describe('a farm to which anybody sends', () => {
  let farm: FarmHere;
  let here: MonteCarloTable;
  let anybody: NatsConnection;
  let endWorker = async (): Promise<void> => undefined;
  before(async function () {
    NatsServer.skipWithout(this);
    farm = await FarmHere.start();
    here = await monteCarlo(FILE, { ...ASKED, workers: 1 });
    anybody = await connect({ servers: `127.0.0.1:${farm.server.port}` });
  });
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.log(farm.said);
    farm.said.length = 0;
  });
  after(async () => {
    await anybody?.close();
    await farm?.stop();
  });
  const send = (subject: string, text: string): void => anybody.publish(`varwire.farm.${subject}`, text);
  const hear = (subject: string, heard: (text: string, subject: string) => void): Subscription =>
    anybody.subscribe(`varwire.farm.${subject}`, {
      callback: (_, message) => heard(message.string(), message.subject),
    });

  it('makes the same table amid garbage, floods and duplicates', async () => {
    const seen = new Set<string>();
    const studies = hear('study', (text) => {
      const { id } = JSON.parse(text) as Study;
      if (seen.has(id) || id === STUDY.id) return;
      seen.add(id);
      for (const subject of ['jobs', 'inputs', 'outcomes', 'holdings', 'refusals'])
        for (const text of GARBAGE) send(`${subject}.${id}`, text);
      for (let count = 0; count < FLOOD; count++) {
        send('study', JSON.stringify({ ...STUDY, asked: `${count}` }));
        send(`holdings.${id}`, JSON.stringify({ worker: `${count}`, jobs: [] }));
      }
    });
    const again = new Set<string>();
    const others = ['jobs.*', 'outcomes.*'].map((subject) =>
      hear(subject, (text, to) => {
        if (again.has(text) || GARBAGE.includes(text)) return;
        again.add(text);
        anybody.publish(to, text);
      }),
    );
    endWorker = farm.work(FILE);
    expect((await farm.study(FILE, ASKED)).csv()).to.equal(here.csv());
    for (const subscription of [studies, ...others]) subscription.unsubscribe();
    expect(again.size).to.be.greaterThan(1);
  });

  it('tells a study of another version that it takes no runs of it', async () => {
    const id = 'b'.repeat(32);
    const told = new Promise((resolve) => hear(`refusals.${id}`, resolve));
    // Those of the flood may be looked at before it, until they are silent.
    const announcing = setInterval(
      () => send('study', JSON.stringify({ ...STUDY, id, asked: 'another', form: FORM + 1 })),
      ANNOUNCE_MILLIS,
    );
    const sentence = await told;
    clearInterval(announcing);
    expect(sentence).to.match(/^a worker on .+ takes no runs: the study is made by another version of varwire$/);
  });

  it('makes a study once when two commands ask for it', async () => {
    const asked = { ...ASKED, seed: 1 };
    const both = await Promise.allSettled([farm.study(FILE, asked), farm.study(FILE, asked)]);
    expect(both.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
    const [made] = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const [refused] = both.flatMap((each) => (each.status === 'rejected' ? [(each.reason as Error).message] : []));
    expect(made?.rows).to.have.length(ASKED.runs);
    expect(refused).to.match(/^another command makes the same study at the moment/);
  });

  it('goes on when a store that was full has room, and says that it was full', async () => {
    const { streams } = await jetstreamManager(anybody);
    const { config } = await streams.info('VARWIRE_JOBS');
    await streams.update(config.name, { ...config, max_bytes: 1 });
    const made = farm.study(FILE, { ...ASKED, seed: 2 });
    await farm.says(/^the NATS server at \S+ refuses: maximum bytes exceeded$/);
    await streams.update(config.name, config);
    expect((await made).rows).to.have.length(ASKED.runs);
  });

  it('goes on when the server has lost all its files', async () => {
    const { streams } = await jetstreamManager(anybody);
    let isLost = false;
    const progress = ({ done }: { readonly done: number }): void => {
      if (isLost || done < 5) return;
      isLost = true;
      for (const name of ['VARWIRE_JOBS', 'VARWIRE_OUTCOMES', 'VARWIRE_INPUTS']) void streams.delete(name);
    };
    const { rows } = await farm.study(FILE, { ...ASKED, seed: 3, lostAfterMillis: 300, progress });
    expect(rows.filter(({ error }) => error === undefined)).to.have.length(ASKED.runs);
  });

  it('computes runs of a study that waits while another one goes on', async () => {
    await endWorker();
    farm.work(FILE, farm.server.url, STINT_MILLIS);
    const over = new AbortController();
    const long = farm.study(FILE, { ...ASKED, seed: 4, runs: MANY, signal: over.signal });
    await farm.says(new RegExp(`takes runs of a study of ${MANY}$`));
    const { rows } = await farm.study(FILE, { ...ASKED, seed: 5, runs: FEW });
    expect(rows.filter(({ error }) => error === undefined)).to.have.length(FEW);
    over.abort();
    expect((await long).rows.length).to.be.below(MANY);
  });
});

describe('a farm whose server', () => {
  let farm: FarmHere;
  before(async function () {
    NatsServer.skipWithout(this);
  });
  afterEach(() => farm.stop());

  it('is killed again and again counts that against no run', async () => {
    farm = await FarmHere.start();
    farm.work(FILE);
    const made = farm.study(FILE, { ...ASKED, runs: 1, untilSeconds: LONG_SECONDS, lostAfterMillis: 500 });
    await farm.says(/takes runs of a study of 1$/);
    for (let outage = 0; outage < 3; outage++) {
      await farm.restart();
      await wait(400);
    }
    expect((await made).rows[0]).to.deep.include({ timeSeconds: LONG_SECONDS });
    await farm.says(/has computed 1 runs$/);
  });

  it('refuses what a worker tells or takes says so to both', async () => {
    const worker = (user: string, ...publish: string[]): string =>
      `{ user: ${user}, password: p, permissions: { publish: ${JSON.stringify(publish)}, subscribe: [ "varwire.>", "_INBOX.>" ] } }`;
    const usual = ['varwire.farm.refusals.*', 'varwire.farm.holdings.*', '$JS.API.INFO', '$JS.API.STREAM.CREATE.*'];
    const configuration = `authorization { users: [ { user: study, password: p },
      ${worker('mute', ...usual, '$JS.API.CONSUMER.>', '$JS.ACK.>')},
      ${worker('idle', ...usual, 'varwire.farm.outcomes.*')} ] }`;
    farm = await FarmHere.start(configuration);
    const as = (user: string): string => farm.server.url.replace('//', `//${user}:p@`);
    const over = new AbortController();
    const made = farm.study(FILE, { ...ASKED, url: as('study'), signal: over.signal });
    for (const user of ['mute', 'idle']) {
      const end = farm.work(FILE, as(user));
      await farm.says(/^a worker on .+ takes no runs: the NATS server at \S+ refuses: .*permission/i);
      farm.said.length = 0;
      await end();
    }
    farm.work(FILE, as('study'));
    expect((await made).rows).to.have.length(ASKED.runs);
  });

  it('has no room for jobs says so', async () => {
    farm = await FarmHere.start('jetstream { max_file_store: 10MB }');
    const refused = await farm.study(FILE, ASKED).catch((error: Error) => error.message);
    expect(refused).to.match(/^the NATS server at \S+ keeps no jobs: insufficient storage resources available/);
  });
});
