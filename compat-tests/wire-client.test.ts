// The test client misses nothing: it waits for exact bytes, and unread bytes fail the test.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { expect } from 'chai';
import { replay } from './golden-replay.js';
import { WireClient } from './wire-client.js';

async function rejection(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('it did not reject');
}

/** A server that treats each connection as the test says. */
async function serving(serve: (socket: Socket) => void): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => serve(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

describe('the wire client', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  async function connected(serve: (socket: Socket) => void): Promise<WireClient> {
    const started = await serving(serve);
    server = started.server;
    return WireClient.tcp(started.port);
  }

  it('puts together a line that comes in pieces and leaves the rest', async () => {
    const client = await connected((socket) => {
      socket.write('0\t1');
      setImmediate(() => socket.write('2\n3\t4'));
    });
    expect(await client.line()).to.equal('0\t12');
    expect((await client.bytes(3)).toString()).to.equal('3\t4');
    client.close();
  });

  it('fails at close when something was not read', async () => {
    const client = await connected((socket) => socket.write('ab\ncd'));
    await client.line();
    await client.through((text) => text.length >= 2, 'the rest').then((rest) => expect(rest).to.equal('cd'));
    client.close();

    const other = await WireClient.tcp((server!.address() as AddressInfo).port);
    await other.bytes(1);
    expect(() => other.close()).to.throw('unread at close: "b\\ncd"');
  });

  it('says what it waited for when the connection closes first', async () => {
    const client = await connected((socket) => socket.end('ab'));
    expect(await rejection(client.line())).to.equal('expected a line, the connection closed; unread: "ab"');
    await client.ended();
    client.drop();
  });
});

describe('the replay of a recorded session', () => {
  const MARKER = 'trick.var_send_once("fx.all.big_i[1234]")\n';

  /** Answers the marker and the witness correctly, and every other line with `answer`. */
  const replying = (answer: string) =>
    serving((socket) =>
      socket.on('data', (bytes) => {
        const text = bytes.toString('latin1');
        if (text === MARKER) socket.write('5\t101234\n');
        else if (text.startsWith('trick.var_exists')) socket.write('1\t1\n');
        else if (!text.startsWith('trick.var_cycle')) socket.write(answer);
      }),
    );

  const session = (recv: string) => ({ name: 'made up', about: '', steps: [{ send: 'trick.var_send()\n', recv }] });

  async function differencesWith(answer: string, recv: string): Promise<unknown> {
    const { server, port } = await replying(answer);
    try {
      return await replay(session(recv), port, 0);
    } finally {
      server.close();
    }
  }

  it('finds none where the bytes are the same', async () => {
    expect(await differencesWith('0\t1\n', '0\t1\n')).to.deep.equal([]);
  });

  it('finds a wrong byte, a missing answer and an answer too many', async () => {
    const send = 'trick.var_send()\n';
    const one = (expected: string, received: string) => [{ step: 0, send, expected, received }];
    expect(await differencesWith('0\t2\n', '0\t1\n')).to.deep.equal(one('0\t1\n', '0\t2\n'));
    expect(await differencesWith('', '0\t1\n')).to.deep.equal(one('0\t1\n', ''));
    expect(await differencesWith('0\t1\n', '')).to.deep.equal(one('', '0\t1\n'));
  });
});
