// What a simulation can do to its bridge: descriptions without end, values that are not what they are said to be, ports that
// are none of Trick's. Each gets one sentence, and clients in front get no wrong value.
import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { bridge, type RunningServer, serveSource } from '../lib/index.js';
import { commandHere, signalHere } from './command-here.js';
import { call, type Json, type Values } from './http-client.js';
import { TrickStandIn } from './trick-stand-in.js';
import { member } from './trick-stand-in-description.js';

const QUIET = { port: 0, discovery: false, udp: 'off', messages: 'off', brp: 'off' } as const;
const LEVELS = Array.from({ length: 100 }, (_, level) => level);

/** A description of one object, and the classes that it is made of. */
const described = (members: readonly string[], classes: readonly string[] = []): string =>
  `<sie>${classes.join('')}<class name="Odd">${members.join('')}</class><top_level_object name="odd" type="Odd" /></sie>`;
const classOf = (name: string, ...members: readonly string[]): string =>
  `<class name="${name}">${members.join('')}</class>`;

describe('a bridge to something hostile', () => {
  let trick: TrickStandIn;
  let served: RunningServer | undefined;
  const servers: Server[] = [];
  beforeEach(async () => {
    trick = await new TrickStandIn().start();
    trick.held['odd.good'] = { kind: 'double', values: [2.5] };
  });
  afterEach(async () => {
    await served?.close();
    served = undefined;
    while (trick.sessions.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await trick.stop();
    for (const server of servers.splice(0)) server.close();
  });

  const serve = async (): Promise<RunningServer> => {
    served = await serveSource(await bridge({ port: trick.port }), QUIET);
    return served;
  };
  const get = async (alias: string): Promise<Json | undefined> =>
    (await call<Values>((served as RunningServer).port, 'var/get', { aliases: [alias] })).values[alias];

  for (const [what, description] of [
    [
      'names that are none',
      described(
        ['__proto__', 'a b', 'x,y', 'q&quot;t', '', 'constructor', 'good'].map((name) => member(name, 'double')),
      ),
    ],
    [
      'structures in structures without end',
      described(
        [member('good', 'double'), member('deep', 'L0')],
        LEVELS.map((level) => classOf(`L${level}`, member('x', 'double'), member('in', `L${level + 1}`))),
      ),
    ],
    [
      'structures that multiply',
      described(
        [member('good', 'double'), member('many', 'L0')],
        LEVELS.slice(0, 40).map((level) =>
          classOf(`L${level}`, member('a', `L${level + 1}`), member('b', `L${level + 1}`), member('x', 'double')),
        ),
      ),
    ],
    [
      'arrays of a thousand million elements',
      described(
        [
          member('good', 'double'),
          member('a', 'double', [1e9]),
          member('b', 'Part', [1e9]),
          member('c', 'double', [1e6, 1e6, 1e6]),
          member('d', 'double', [-1]),
          member('e', 'char', [1e9]),
        ],
        [classOf('Part', member('x', 'double'))],
      ),
    ],
    ['an entity that there is not', described([member('good', 'double', [], '&nonsense;')])],
  ] as const)
    it(`shows what it can of a description with ${what}`, async () => {
      trick.description = description;
      const { source } = await serve();
      expect(await get('odd.good')).to.equal(2.5);
      expect(source.catalog.find('odd.constructor')).to.equal(undefined);
    });

  it('stores no value that is not of the described type, and says which it was', async () => {
    await serve();
    const before = await get('fx.big[0]');
    trick.held['fx.one'] = { kind: 'double', extents: [3], values: [7, 8, 9] };
    const reasons = new Set<string>();
    while (reasons.size === 0) {
      await get('fx.one').catch((error: Error) => reasons.add(error.message));
      const { reason } = await call<{ reason?: string }>((served as RunningServer).port, 'sim/status', {});
      if (reason !== undefined) reasons.add(reason);
    }
    expect([...reasons].join()).to.include('the value of fx.one is not of its type');
    trick.held['fx.one'] = { kind: 'double', extents: [1], values: [3.5] };
    while ((await get('fx.one').catch(() => undefined)) === undefined);
    expect(await get('fx.big[0]')).to.equal(before);
  });

  async function listening(answer: (socket: Socket) => void): Promise<number> {
    const server = createTcpServer((socket) => answer(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  it('says in one sentence what is wrong with a place that is no simulation', async () => {
    const saidOf = async (place: string) => (await commandHere(['bridge', place, '--port', '0'])).complaint;
    expect(await saidOf(`127.0.0.1:${await listening((socket) => socket.end())}`)).to.match(
      /^varwire: .* closed the connection before it answered: a Trick simulation takes clients when its input file has called trick\.var_allow_all_connections\(\)\n$/,
    );
    const web = await listening((socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')));
    expect(await saidOf(`127.0.0.1:${web}`)).to.match(/^varwire: expected a message of Trick's, not .*HTTP.*\n$/);
    expect(await saidOf('no.such.host.invalid:7000')).to.match(/^varwire: no\.such\.host\.invalid:7000: .*\n$/);
    const lying = await listening((socket) => socket.write(Buffer.from([0, 0, 0, 0, 255, 255, 255, 127, 0, 0, 0, 0])));
    expect(await saidOf(`127.0.0.1:${lying}`)).to.match(/^varwire: a message of 2147483651 bytes is larger than any/);
  });

  it('leaves no session behind when its command is ended while it connects', async () => {
    trick.isBusy = true;
    const ended = commandHere(['bridge', `127.0.0.1:${trick.port}`, '--port', '0']);
    while (trick.sessions.size === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    signalHere('SIGINT');
    trick.isBusy = false;
    expect(await ended).to.deep.equal({ code: 130, output: '', complaint: '' });
  });
});
