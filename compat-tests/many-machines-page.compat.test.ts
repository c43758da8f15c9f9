// The commands and the program of docs/many-machines.md.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jetstreamManager } from '@nats-io/jetstream';
import { expect } from 'chai';
import { double, edge, feed, type RunningServer, serveSource } from '../lib/index.js';
import { connectNats } from '../lib/source/edge/nats.js';
import { ask } from './asking.js';
import { commandHere } from './command-here.js';
import { call } from './http-client.js';
import { LaunchedServer, ServerHere, showOutputOfFailure } from './launch.js';
import { NatsServer } from './nats-server.js';
import { until } from './panels-page.js';

const PAGE = readFileSync(new URL('../../docs/many-machines.md', import.meta.url), 'utf8');
/** The blocks of a language, in order. */
const blocks = (language: string): readonly string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, text]) => text ?? '');
const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;
const COMMAND = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));
const SIMULATION = 'build/sims/ball.js';
const KEPT_MESSAGES = 20;
const INDEX = new URL('../lib/index.js', import.meta.url);

describe('docs/many-machines.md', () => {
  let simulation: ServerHere;
  let second: LaunchedServer | undefined;
  before(async () => {
    simulation = await ServerHere.start('sims/ball.js', { options: ['--no-discovery'] });
  });
  afterEach(async function () {
    showOutputOfFailure(this, simulation);
    await second?.kill();
  });
  after(() => simulation.stop());

  it('has commands that serve a simulation elsewhere, and read it there', async () => {
    const [runLine, edgeLine = '', getLine = ''] = (blocks('sh')[0] ?? '').trim().split('\n');
    expect(runLine).to.equal('varwire run sims/ball --port 7000');
    const [, ...words] = edgeLine.replace(' --port 8000', '').replace('7000', `${simulation.port}`).split(' ');
    second = await LaunchedServer.command(...words);
    const [, ...get] = getLine.replace('localhost:8000', `127.0.0.1:${second.port}`).split(' ');
    expect((await commandHere(get)).output).to.match(/^ball\.position\t/);
  });

  it('has a program that does the same', async () => {
    const [, program] = (blocks('js')[0] ?? '')
      .replace('7000', `${simulation.port}`)
      .replace('{ port: 8000 }', "{ port: 0, udp: 'off', messages: 'off', discovery: false }")
      .replace("'varwire'", `'${INDEX}'`)
      .split(/^import (?=.*\n)/m);
    const text = `import ${program}\nexport const height = await server.get('ball.position');\nawait server.close();`;
    const { height } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { height: number[] };
    expect(height).to.have.length(2);
  });

  it('has a command that says in one sentence why it does not start', async () => {
    const { code, complaint } = await commandHere(['edge', '127.0.0.1:1', '--port', '0']);
    expect(code).to.equal(1);
    expect(complaint).to.match(/^varwire: 127\.0\.0\.1:1 cannot be reached: .*ECONNREFUSED.*\n$/);
    expect((await commandHere(['edge'])).code).to.equal(2);
    expect((await commandHere(['edge', '127.0.0.1:1', '--run-dir', 'x'])).complaint).to.equal(
      'varwire: --run-dir is for simulations that run here; varwire edge --help shows how\n',
    );
  });
});

interface Past {
  readonly times: readonly number[];
  readonly values: readonly number[];
}

describe('docs/many-machines.md, with a NATS server', () => {
  let nats: NatsServer;
  let directory: string | undefined;
  let simulation: RunningServer;
  let level: { value: number };
  let speed: { value: number };
  const pastAt = async (port: number): Promise<Past> =>
    (await call<{ series: { 'tank.level': Past } }>(port, 'var/history', { aliases: ['tank.level'] })).series[
      'tank.level'
    ];
  const users = {
    simulation: 'of the simulation',
    operator: 'of operators',
    viewer: 'of viewers',
    study: 'of studies',
    worker: 'of workers',
  };
  const urlOf = (user: keyof typeof users, password = users[user]) =>
    nats.url.replace('//', `//${user}:${encodeURIComponent(password)}@`);
  before(async function () {
    NatsServer.skipWithout(this);
    directory = mkdtempSync(join(tmpdir(), 'varwire-many-'));
    const configuration = (blocks('hocon')[0] ?? '').replace('"farm"', `"${join(directory, 'farm')}"`);
    writeFileSync(join(directory, 'nats.conf'), configuration);
    nats = await NatsServer.start(['-c', join(directory, 'nats.conf')]);
    const tank = feed({ name: 'tank', frameSeconds: 0.1, write: () => undefined }, (objects) => {
      level = objects.object('tank').component('level', double());
    });
    simulation = await serveSource(tank, { ...QUIET, nats: urlOf('simulation'), keep: ['tank.level'] });
    for (const seconds of [1, 2]) {
      level.value = 10 * seconds;
      tank.publish(seconds);
      await until(
        () => pastAt(simulation.port),
        ({ times }) => times.at(-1) === seconds,
      );
    }
  });
  after(async () => {
    await simulation?.close();
    await nats?.stop();
    if (directory !== undefined) rmSync(directory, { recursive: true });
  });

  const asUser = async (user: keyof typeof users, use: (served: RunningServer) => Promise<void>): Promise<void> => {
    const served = await serveSource(await edge({ nats: urlOf(user), name: 'tank' }), QUIET);
    await use(served).finally(() => served.close());
  };
  const sentence = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: Error) => error.message);

  it('has a configuration in which operators change what viewers see', async () => {
    await asUser('operator', async (served) => {
      await served.set('tank.level', 1.5);
      const { clients } = await call<{ clients: readonly { peer: string }[] }>(simulation.port, 'sim/clients', {});
      expect(JSON.stringify(clients)).to.contain('nats-operator');
    });
    await asUser('viewer', async (served) => {
      const { times, values } = await pastAt(served.port);
      expect([times.slice(-2), values.slice(-2)]).to.deep.equal([
        [1, 2],
        [10, 1.5],
      ]);
      expect(await sentence(served.set('tank.level', 2))).to.equal(
        'this source cannot be written: it is a read-only edge of a feed',
      );
    });
    expect(await sentence(edge({ nats: urlOf('viewer', 'wrong'), name: 'tank' }))).to.match(
      /^the NATS server at \S+ cannot be reached: .*authorization/i,
    );
    expect(await sentence(edge({ nats: nats.url, name: 'tank' }))).to.match(/authorization/i);
    const other = feed({ name: 'other', frameSeconds: 1 }, () => undefined);
    expect(await sentence(serveSource(other, { ...QUIET, nats: urlOf('worker') }))).to.match(
      /^the NATS server at \S+ refuses: permissions violation for publish to "vw\.other\.need"/i,
    );
  });

  it('shows all simulations side by side, also one that comes later, and writes to each', async () => {
    const pump = feed({ name: 'pump', frameSeconds: 0.1, write: () => undefined }, (objects) => {
      speed = objects.object('pump').component('speed', double({ max: 10 }));
    });
    const both = await LaunchedServer.command('edge', '--nats', urlOf('operator'), '--no-discovery');
    const second = await serveSource(pump, { ...QUIET, nats: urlOf('simulation') });
    const alone = async (): Promise<string> => (await ask({ port: both.port, path: '/alone/pump/page.json' })).text;
    const [one, other] = ['tank.tank.level', 'pump.pump.speed'];
    const seen = async (): Promise<object> =>
      (await call<{ values: object }>(both.port, 'var/get', { aliases: [one, other] })).values;
    try {
      await until(alone, (text) => text.includes('pump.speed'));
      expect(JSON.parse(await alone()).simulations.map(({ name }: { name: string }) => name)).to.deep.equal([
        'side by side',
        'tank',
        'pump',
      ]);
      await call(both.port, 'var/set', { alias: one, value: 6.5 });
      await call(both.port, 'var/set', { alias: other, value: 2.5 });
      expect(await seen()).to.deep.equal({ [one]: 6.5, [other]: 2.5 });
      expect([await simulation.get('tank.level'), await second.get('pump.speed')]).to.deep.equal([6.5, 2.5]);
      // Is refused where it would go.
      await call(both.port, 'var/set', { alias: other, value: 12 });
      expect(await seen()).to.deep.equal({ [one]: 6.5, [other]: 2.5 });
      speed.value = 3;
      pump.publish(1);
      await until(seen, (values) => values[other as never] === 3);
    } finally {
      await both.kill();
      await second.close();
    }
  });

  it('has a configuration in which workers compute the runs of a study, and begin none', async () => {
    const study = (user: 'study' | 'worker') =>
      commandHere([
        'monte-carlo',
        SIMULATION,
        '--runs',
        '3',
        '--until',
        '1',
        '--read',
        'ball.position',
        '--nats',
        urlOf(user),
      ]);
    const worker = spawn(process.execPath, [COMMAND, 'worker', '--jobs', '1', '--nats', urlOf('worker')]);
    try {
      const { code, output, complaint } = await study('study');
      expect(code, complaint).to.equal(0);
      expect(output.trim().split('\n')).to.have.length(4);
      expect((await study('worker')).complaint).to.match(/permission/i);
    } finally {
      worker.kill();
    }
  });

  it('has commands that serve a simulation elsewhere by NATS', async () => {
    const [install, , runLine = '', findLine = '', edgeLine = ''] = (blocks('sh')[1] ?? '').trim().split('\n');
    const { devDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(install).to.contain(`@nats-io/transport-node@${devDependencies['@nats-io/transport-node']}`);
    const wordsOf = (line: string, user: keyof typeof users = 'simulation'): string[] =>
      line.replace('nats://localhost:4222', urlOf(user)).replace(' --port 8000', '').split(' ').slice(1);
    const run = (line: string): Promise<ServerHere> => {
      const [command, name, ...options] = wordsOf(line);
      expect(command).to.equal('run');
      return ServerHere.start(`${name}.js`, { options: [...options, '--no-discovery'] });
    };
    const ball = await run(runLine);
    const second = await LaunchedServer.command(...wordsOf(edgeLine));
    try {
      expect((await commandHere([...wordsOf(findLine), '--seconds', '2.5'])).output).to.match(/^ball +run/im);
      expect((await commandHere(['get', `127.0.0.1:${second.port}`, 'ball.position'])).output).to.match(/^ball\./);
    } finally {
      await second.kill();
      await ball.stop();
    }
    const [, , keepLine = '', playLine = ''] = (blocks('sh')[2] ?? '').trim().split('\n');
    const kept = await run(keepLine);
    const { connection } = await connectNats(urlOf('study'));
    const { streams } = await jetstreamManager(connection);
    await until(
      () => streams.info('VARWIRE_ball'),
      ({ state }) => state.messages > KEPT_MESSAGES,
    );
    await connection.close();
    await kept.stop();
    const played = await LaunchedServer.command(...wordsOf(playLine, 'operator'));
    try {
      expect((await commandHere(['get', `127.0.0.1:${played.port}`, 'ball.position'])).output).to.match(/^ball\./);
    } finally {
      await played.kill();
    }
  });
});
