// kRPC's handshakes and framing over TCP and WebSocket: what is accepted, and each refusal as its clients know it.
import { expect } from 'chai';
import {
  call,
  connectionRequest,
  handshake,
  KrpcClient,
  readServices,
  requestBytes,
  SocketChannel,
  TcpChannel,
} from './client.js';
import { KrpcServed } from './served.js';
import { blob, readBlob, readItems, readText, varint } from './values.js';

const UNKNOWN = Buffer.alloc(16, 7);
const statusOf = (port: number, path: string, protocolVersion = 13): Promise<number> =>
  new Promise((resolve, reject) => {
    const { socket } = new SocketChannel(`ws://127.0.0.1:${port}${path}`, { protocolVersion });
    socket.on('unexpected-response', (_, response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    socket.on('open', () => reject(new Error('it was opened')));
  });

describe("kRPC's handshake", () => {
  let served: KrpcServed;
  const channels: TcpChannel[] = [];
  const rpc = (): TcpChannel => dial(served.ports.rpc);
  const stream = (): TcpChannel => dial(served.ports.stream);
  function dial(port: number): TcpChannel {
    const channel = new TcpChannel(port);
    channels.push(channel);
    return channel;
  }
  before(async () => {
    served = await KrpcServed.testService();
  });
  after(() => served.stop());
  afterEach(() => {
    for (const channel of channels.splice(0)) channel.close();
    served.closeClients();
  });

  it('gives a client 16 bytes of its own', async () => {
    const one = await handshake(rpc(), { clientName: 'Jeb' });
    const other = await handshake(rpc(), { clientName: 'Jeb' });
    expect([one.status, one.message, one.clientIdentifier.length]).to.deep.equal([0, '', 16]);
    expect(Buffer.compare(one.clientIdentifier, other.clientIdentifier)).not.to.equal(0);
  });

  it('accepts a request of zero bytes: a client without a name', async () => {
    const channel = rpc();
    expect(connectionRequest({}).length).to.equal(0);
    expect(await handshake(channel, {})).to.include({ status: 0 });
    channel.send(requestBytes(call('KRPC', 'GetClientName')));
    expect((await channel.next())?.length).to.be.greaterThan(0);
  });

  it('connects streams by the identifier, and gives it back', async () => {
    const { clientIdentifier } = await handshake(rpc(), { clientName: 'Jeb' });
    const answer = await handshake(stream(), { type: 1, clientIdentifier });
    expect(answer).to.include({ status: 0 });
    expect(Buffer.compare(answer.clientIdentifier, clientIdentifier)).to.equal(0);
  });

  it('shows no client the identifier of another, with which it could take the streams', async () => {
    const victim = await served.client('tcp', 'Victim');
    const other = await served.client('tcp', 'Other');
    const clients = readItems(await other.call(call('KRPC', 'get_Clients'))).map(readItems);
    const idOf = (wanted: string): Buffer =>
      readBlob(clients.find(([, name]) => readText(name as Buffer) === wanted)?.[0] as Buffer);
    expect(Buffer.compare(idOf('Other'), other.identifier)).to.equal(0);
    expect(Buffer.compare(idOf('Victim'), victim.identifier)).not.to.equal(0);
    const thief = stream();
    thief.send(connectionRequest({ type: 1, clientIdentifier: idOf('Victim') }));
    expect(await thief.next()).to.equal(undefined);
  });

  it('refuses each wrong port with its sentence, and closes', async () => {
    const atRpc = rpc();
    expect(await handshake(atRpc, { type: 1, clientIdentifier: UNKNOWN })).to.include({
      status: 3,
      message:
        'Connection request was for the stream server, but this is the rpc server. Did you connect to the wrong port number?',
    });
    const atStream = stream();
    expect(await handshake(atStream, { type: 0, clientName: 'Jeb' })).to.include({
      status: 3,
      message:
        'Connection request was for the rpc server, but this is the stream server. Did you connect to the wrong port number?',
    });
    expect([await atRpc.next(), await atStream.next()]).to.deep.equal([undefined, undefined]);
  });

  it('refuses identifiers of other lengths than 16', async () => {
    for (const length of [0, 1, 15, 17]) {
      const channel = stream();
      const answer = await handshake(channel, { type: 1, clientIdentifier: Buffer.alloc(length, 1) });
      expect(answer).to.include({ status: 1, message: 'Client identifier must be 16 bytes.' });
      expect(await channel.next()).to.equal(undefined);
    }
  });

  it('closes without an answer for an identifier that nobody has', async () => {
    const channel = stream();
    channel.send(connectionRequest({ type: 1, clientIdentifier: UNKNOWN }));
    expect(await channel.next()).to.equal(undefined);
  });

  it('refuses what is no connection request', async () => {
    const wrong = [Buffer.from([1, 0xff]), Buffer.from([2, 8, 9]), varint(5000), Buffer.alloc(6, 0xff)];
    for (const bytes of wrong) {
      const channel = rpc();
      channel.write(bytes);
      const answer = (await channel.next()) as Buffer;
      expect(answer[1], bytes.toString('hex')).to.equal(1);
      expect(await channel.next()).to.equal(undefined);
    }
  });

  it('waits three seconds for a request that has begun, and says so', async () => {
    const channel = rpc();
    const begunMillis = performance.now();
    channel.write(Buffer.from([9]));
    const answer = (await channel.next()) as Buffer;
    expect(answer[1]).to.equal(2);
    expect(answer.toString()).to.include('Connection request message not received after waiting 3 seconds');
    expect(performance.now() - begunMillis).to.be.greaterThan(2900);
    expect(await channel.next()).to.equal(undefined);
  });

  it('takes the handshake and a request that are cut anywhere, and in one piece', async () => {
    const hello = connectionRequest({ clientName: 'Jebediah' });
    const ask = requestBytes(call('KRPC', 'GetClientName'));
    const all = Buffer.concat([varint(hello.length), hello, varint(ask.length), ask]);
    for (let cut = 1; cut <= all.length; cut++) {
      const channel = rpc();
      channel.write(all.subarray(0, cut));
      await new Promise((resolve) => setTimeout(resolve, 2));
      if (cut < all.length) channel.write(all.subarray(cut));
      await channel.next();
      const answer = (await channel.next()) as Buffer;
      expect(answer.toString(), `cut at ${cut}`).to.include('Jebediah');
      channel.close();
    }
  });

  it('answers requests that were sent together one after the other, in order', async () => {
    const client = await served.client();
    const echo = (text: string) => call('TestService', 'OptionalArguments', blob(Buffer.from(text)));
    for (let k = 0; k < 100; k++) client.rpc.send(requestBytes(echo(`${k}`)));
    for (let k = 0; k < 100; k++) {
      const { results } = await client.response();
      expect(readText(results[0]?.value as Uint8Array)).to.equal(`${k}foobarnull`);
    }
  });

  it('closes without a word on a frame that is no message, and serves others on', async () => {
    const other = await served.client();
    for (const bytes of [Buffer.from([1, 0xff]), Buffer.alloc(6, 0xff), varint(2_000_000)]) {
      const client = await served.client();
      (client.rpc as TcpChannel).write(bytes);
      expect(await client.rpc.next()).to.equal(undefined);
    }
    expect(readServices(await other.call(call('KRPC', 'GetServices')))).to.have.length(2);
  });

  it('forgets a client when its calls close, and closes its streams', async () => {
    const observer = await served.client();
    const client = await served.client('tcp', 'Bob');
    const names = async (): Promise<string> =>
      Buffer.from(await observer.call(call('KRPC', 'get_Clients'))).toString('latin1');
    expect(await names()).to.include('Bob');
    client.rpc.close();
    expect(await client.streams?.next()).to.equal(undefined);
    expect(await names()).not.to.include('Bob');
  });
});

describe("kRPC's handshake over WebSocket", () => {
  let served: KrpcServed;
  before(async () => {
    served = await KrpcServed.testService();
  });
  after(() => served.stop());

  it('takes the name from the query, else from the origin', async () => {
    const { rpc } = served.ports;
    const name = async (channel: SocketChannel): Promise<string> => {
      await channel.opened;
      channel.send(requestBytes(call('KRPC', 'GetClientName')));
      const answer = (await channel.next()) as Buffer;
      channel.close();
      return answer.toString();
    };
    expect(await name(new SocketChannel(`ws://127.0.0.1:${rpc}/?name=Jeb`))).to.include('Jeb');
    const origin = `http://127.0.0.1:${rpc}`;
    expect(await name(new SocketChannel(`ws://127.0.0.1:${rpc}/`, { origin }))).to.include(origin);
  });

  it('gives the identifier by GetClientID, as a value with its length', async () => {
    const client = await KrpcClient.webSocket(served.ports);
    expect(readBlob(await client.call(call('KRPC', 'GetClientID')))).to.have.length(16);
    client.close();
  });

  it('answers 400 without a known identifier, 404 at other paths, 426 for other versions', async () => {
    const { rpc, stream } = served.ports;
    expect(await statusOf(stream, '/')).to.equal(400);
    expect(await statusOf(stream, '/?id=AAAA')).to.equal(400);
    expect(await statusOf(stream, `/?id=${UNKNOWN.toString('base64')}`)).to.equal(400);
    expect(await statusOf(rpc, '/other')).to.equal(404);
    expect(await statusOf(rpc, '/', 8)).to.equal(426);
    expect((await fetch(`http://127.0.0.1:${rpc}/`)).status).to.equal(426);
    expect((await fetch(`http://127.0.0.1:${rpc}/other`)).status).to.equal(404);
  });

  it('ends on text with 1003, and on bytes that are no request with 1007', async () => {
    const ended = async (send: (channel: SocketChannel) => void): Promise<string | undefined> => {
      const channel = new SocketChannel(`ws://127.0.0.1:${served.ports.rpc}/`);
      await channel.opened;
      send(channel);
      await channel.next();
      return channel.ended;
    };
    expect(await ended(({ socket }) => socket.send('hello'))).to.equal('1003');
    expect(await ended((channel) => channel.send(Buffer.from([0xff])))).to.equal('1007');
  });
});
