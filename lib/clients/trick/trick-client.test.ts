// The client against a scripted server: what it sends, how it matches replies, and what it makes of a lost connection.
import { expect } from 'chai';
import { settled, TestLinks } from '../../testing/aids/client-link.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { binaryList, doubleBytes, type ScriptedAnswer, ScriptedServer } from '../../testing/aids/scripted-server.js';
import {
  BadReferenceError,
  ConnectionLostError,
  ProtocolError,
  ReplyTimeoutError,
  UnitsError,
  ValueTooLargeError,
  ValueTypeError,
} from './errors.js';
import { type ConnectOptions, TrickClient } from './trick-client.js';
import type { Update, Watch } from './watch.js';

const DOUBLE = 11;
const NONE = 25;
const VALUES: Readonly<Record<string, readonly [code: number, value: Buffer]>> = {
  x: [DOUBLE, doubleBytes(1.5)],
  y: [DOUBLE, doubleBytes(-2)],
  time: [DOUBLE, doubleBytes(3)],
  label: [3, Buffer.from('one\0')],
  three: [DOUBLE, Buffer.alloc(24)],
  phase: [21, Buffer.from([7, 0, 0, 0])],
};

/** The names of a send_once command. */
const askedOnce = (line: string): string[] | undefined => /var_send_once\("([^"]*)", \d+\)/.exec(line)?.[1]?.split(',');

const binaryAnswers = (line: string): Buffer | undefined => {
  const names = askedOnce(line)?.filter((name) => name !== 'huge');
  return (
    names &&
    binaryList(
      5,
      names.map((name) => [name, ...(VALUES[name] ?? [NONE, Buffer.alloc(4)])] as const),
    )
  );
};

describe('TrickClient', () => {
  let server: ScriptedServer;
  let client: TrickClient;

  async function begin(answer: ScriptedAnswer, options: Partial<ConnectOptions> = {}): Promise<void> {
    server = await new ScriptedServer(answer).start();
    client = await TrickClient.connect({ port: server.port, ...options });
  }
  afterEach(async () => {
    client.close();
    await server.stop();
  });

  it('pauses the session before anything else, and gives its tag', async () => {
    await begin(binaryAnswers, { tag: 'my "tag"' });
    expect(server.lines.slice(0, 2)).to.deep.equal(['trick.var_pause()', 'trick.var_set_client_tag("my \\"tag\\"")']);
  });

  it('gives each of several questions at once its own answer', async () => {
    await begin(binaryAnswers);
    const answers = await Promise.all([client.get('x'), client.get(['y', 'label']), client.get('time')]);
    expect(answers).to.deep.equal([1.5, [-2, 'one'], 3]);
  });

  it('takes no cyclic message for an answer', async () => {
    const cyclic = binaryList(0, [['x', DOUBLE, doubleBytes(99)]]);
    await begin((line) => {
      const answer = binaryAnswers(line);
      return answer && Buffer.concat([cyclic, answer, cyclic]);
    });
    expect(await client.get('x')).to.equal(1.5);
  });

  it('joins an answer that comes in several messages, in any number of pieces', async () => {
    await begin((line, socket) => {
      const names = askedOnce(line);
      if (!names) return undefined;
      for (const name of names)
        for (const byte of binaryList(5, [[name, ...(VALUES[name] as readonly [number, Buffer])]]))
          socket.write(Buffer.of(byte));
      return undefined;
    });
    expect(await client.get(['x', 'y', 'label'])).to.deep.equal([1.5, -2, 'one']);
  });

  it('names all unknown variables of a question', async () => {
    await begin(binaryAnswers);
    const error = await client.get(['x', 'nosuch', 'other']).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(BadReferenceError).with.deep.property('names', ['nosuch', 'other']);
    expect(await client.get('x')).to.equal(1.5);
  });

  it('says which value fits no message', async () => {
    await begin(binaryAnswers);
    expect(await client.get(['x', 'huge']).catch((thrown: unknown) => thrown)).to.be.instanceOf(ValueTooLargeError);
  });

  it('asks for units in ASCII and gives the exact value in own units', async () => {
    await begin((line) => {
      if (line === 'trick.var_send()') return '0\t1.500000001 {m}\n';
      return binaryAnswers(line);
    });
    expect(await client.get('x', { units: 'xx' })).to.deep.equal({ value: 1.5, units: 'm' });
    expect(await client.get('x', { units: 'm' })).to.deep.equal({ value: 1.500000001, units: 'm' });
    expect(server.lines.join('\n')).to.include(
      'trick.var_clear()\ntrick.var_ascii()\ntrick.var_add("x", "m")\ntrick.var_send()\ntrick.var_clear()\ntrick.var_binary()',
    );
  });

  it('refuses units that the server could not convert to', async () => {
    await begin((line) => (line === 'trick.var_send()' ? '0\t1.5\n' : binaryAnswers(line)));
    expect(await client.get('x', { units: 'kg' }).catch((thrown: unknown) => thrown)).to.be.instanceOf(UnitsError);
    const asked = client.get('x', { units: 'deg' }).catch((thrown: Error) => thrown.message);
    expect(await asked).to.equal('x cannot be shown in deg; did you mean "degree"?');
  });

  it('reads ASCII by the look of it when told to', async () => {
    await begin((line) => (askedOnce(line) ? '5\t1,2\ttext\t3\n' : undefined), { form: 'ascii' });
    expect(await client.get(['a', 'b', 'c'])).to.deep.equal([[1, 2], 'text', 3]);
    expect(server.lines).not.to.include('trick.var_binary()');
  });

  it('sends no value that the variable cannot hold', async () => {
    await begin(binaryAnswers);
    for (const [name, value] of [
      ['label', 5],
      ['x', 'text'],
      ['three', 4.5],
      ['three', ['a']],
    ] as const)
      expect(await client.set(name, value).catch((thrown: unknown) => thrown), name).to.be.instanceOf(ValueTypeError);
    expect(server.lines.filter((line) => /var_set\(|=/.test(line))).to.deep.equal([]);
  });

  it('sets nothing that does not exist', async () => {
    await begin((line) => (line.includes('var_exists') ? Buffer.from([1, 0, 0, 0, 0]) : binaryAnswers(line)));
    expect(await client.set('nosuch', 1).catch((thrown: unknown) => thrown)).to.be.instanceOf(BadReferenceError);
    expect(await client.exists('nosuch')).to.equal(false);
  });

  it('refuses a name that could not be one, before it is sent', async () => {
    await begin(binaryAnswers);
    const before = server.lines.length;
    for (const name of ['', 'a,b', 'a\nb'])
      expect(await client.get(name).catch((thrown: unknown) => thrown)).to.be.instanceOf(TypeError);
    expect(server.lines).to.have.length(before);
  });

  it('knows the types of the variables that a program names', async () => {
    server = await new ScriptedServer(binaryAnswers).start();
    const typed = await TrickClient.connect<{ x: number; label: string }>({ port: server.port });
    client = typed as unknown as TrickClient;
    const [x, label]: readonly [number, string] = await typed.get(['x', 'label']);
    const { value }: { value: number } = { value: await typed.get('x') };
    expect([x, label, value]).to.deep.equal([1.5, 'one', 1.5]);
    // @ts-expect-error a text is no number
    const wrong: Promise<number> = typed.get('label');
    expect(await wrong).to.equal('one');
    // @ts-expect-error no such name
    expect(await typed.get('other').catch((thrown: unknown) => thrown)).to.be.instanceOf(BadReferenceError);
    const subscription = typed.subscribe(['label', { name: 'x', units: 'm' }]);
    const typeOnly = (update: Update): void => {
      type Updates = typeof subscription extends Watch<infer Values> ? Values : never;
      const [text, number]: readonly [string | undefined, number | undefined] = update.values as Updates;
      expect([text, number]).to.have.length(2);
    };
    typeOnly({ timeSeconds: 0, values: ['one', 1.5], units: [], isAfterGap: false });
    subscription.close();
  });

  it('gives the replies to raw commands', async () => {
    await begin((line) => (line === 'print("hi")' ? '4 1 2\nhi' : undefined));
    expect(await client.send('print("hi")')).to.deep.equal([
      { kind: 'stdio', indicator: 4, stream: 'stdout', text: 'hi' },
    ]);
  });

  it('reads the description of all variables, and knows when there is none', async () => {
    await begin((line) => (line === 'trick.send_sie_resource()' ? '2\t6\n</sie>' : undefined));
    expect(await client.sieResource()).to.equal('</sie>');
    await server.stop();
    await begin((line) => (line === 'trick.send_sie_resource()' ? '2\t-1\n' : undefined));
    expect(await client.sieResource()).to.equal(undefined);
  });

  it('gives up a connection on which no answer comes', async () => {
    const clock = new ManualClock();
    let isSilent = false;
    const links = new TestLinks((line) => (isSilent ? '' : binaryAnswers(line)));
    client = await TrickClient.connect({ port: 1, openLink: links.open, clock, timeoutMillis: 700 });
    isSilent = true;
    const asking = client.get('x').catch((thrown: unknown) => thrown);
    await settled();
    clock.advance(699);
    expect(links.last.isClosed).to.equal(false);
    clock.advance(1);
    expect(await asking).to.be.instanceOf(ReplyTimeoutError);
    expect(await client.get('x').catch((thrown: unknown) => thrown)).to.be.instanceOf(ReplyTimeoutError);
  });

  it('gives up a connection to something else than Trick', async () => {
    server = await new ScriptedServer(() => 'HTTP/1.1 400 Bad Request\r\n').start();
    expect(await TrickClient.connect({ port: server.port }).catch((thrown: unknown) => thrown)).to.be.instanceOf(
      ProtocolError,
    );
  });

  it('fails what was asked when the connection is lost', async () => {
    await begin((line, socket) => {
      if (askedOnce(line)) socket.destroy();
      return undefined;
    });
    expect(await client.get('x').catch((thrown: unknown) => thrown)).to.be.instanceOf(ConnectionLostError);
  });
});
