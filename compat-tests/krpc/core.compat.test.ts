// The service KRPC: its members, status, clients and pause; streams and events as their clients expect them.
import { expect } from 'chai';
import {
  type Call,
  call,
  callBytes,
  handshake,
  type KrpcClient,
  readEvent,
  readServices,
  readStatus,
  readStream,
  TcpChannel,
} from './client.js';
import { KrpcServed, SERVED } from './served.js';
import {
  bool,
  double,
  float,
  readBool,
  readDouble,
  readItems,
  readText,
  readVarint,
  text,
  unzigzag,
  varint,
  zigzag,
} from './values.js';

const PLANT = new URL('plant.js', import.meta.url);
const EXPRESSIONS =
  'ConstantDouble ConstantFloat ConstantInt ConstantBool ConstantString Call Equal NotEqual GreaterThan GreaterThanOrEqual LessThan LessThanOrEqual And Or ExclusiveOr Not Add Subtract Multiply Divide Modulo Power LeftShift RightShift Cast Parameter Function Invoke CreateTuple CreateList CreateSet CreateDictionary ToList ToSet Get Count Sum Max Min Average Select Where Contains Aggregate AggregateWithSeed Concat OrderBy All Any';
const MEMBERS = [
  ...'GetClientID GetClientName GetStatus GetServices AddStream StartStream SetStreamRate RemoveStream AddEvent'.split(
    ' ',
  ),
  ...'get_Clients get_GameScene set_GameScene get_CurrentGameScene get_Paused set_Paused'.split(' '),
  ...EXPRESSIONS.split(' ').map((name) => `Expression_static_${name}`),
  ...'Double Float Int Bool String'.split(' ').map((name) => `Type_static_${name}`),
];

const at = (alias: string): Call => call('VarServer', 'Get', text(alias));
const krpc = (procedure: string, ...given: (Uint8Array | null | undefined)[]): Call =>
  call('KRPC', procedure, ...given);

for (const { kind, how, by, hasAll } of SERVED) {
  describe(`the service KRPC ${how}`, () => {
    const all = hasAll ? it : () => undefined;
    let served: KrpcServed;
    let client: KrpcClient;
    before(async () => {
      served = await KrpcServed.start(PLANT, {}, by);
    });
    beforeEach(async () => {
      client = await served.client(kind, 'Val');
    });
    afterEach(() => served.closeClients());
    after(() => served.stop());

    const tell = (...given: Parameters<typeof krpc>): Promise<Uint8Array> => client.call(krpc(...given));
    const rest = (): Promise<void> => tell('set_Paused', bool(false)).then(() => undefined);

    it('has the members that clients compare, and no others', async () => {
      const [service] = readServices(await tell('GetServices'));
      expect(service?.procedures.map(({ name }) => name).sort()).to.deep.equal([...MEMBERS].sort());
      expect(service?.classes.map(({ name }) => name)).to.deep.equal(['Expression', 'Type']);
      expect(service?.exceptions.map(({ name }) => name)).to.deep.equal([
        'InvalidOperationException',
        'ArgumentException',
        'ArgumentNullException',
        'ArgumentOutOfRangeException',
      ]);
      const [scenes] = service?.enumerations ?? [];
      expect(scenes?.values.map(({ name, value }) => `${name}=${value}`).join(' ')).to.equal(
        'SpaceCenter=0 Flight=1 TrackingStation=2 EditorVAB=3 EditorSPH=4 MissionBuilder=5',
      );
      const codes = Object.fromEntries(
        (service?.procedures ?? []).map(({ name, returnType }) => [name, returnType?.code]),
      );
      expect(codes).to.include({ AddEvent: 200, AddStream: 202, GetStatus: 203, GetServices: 204, get_Clients: 301 });
      const addStream = service?.procedures.find(({ name }) => name === 'AddStream');
      const [, start] = addStream?.parameters ?? [];
      expect([start?.hasDefaultValue, start?.defaultValue[0], addStream?.parameters[0]?.type?.code]).to.deep.equal([
        true,
        1,
        201,
      ]);
      expect(service?.procedures.find(({ name }) => name === 'get_CurrentGameScene')?.deprecated).to.equal(true);
    });

    it('has a status with true figures', async () => {
      const before = readStatus(await tell('GetStatus'));
      expect(before.version).to.match(/^\d+\.\d+\.\d+$/);
      expect(Number(before.bytesRead)).to.be.greaterThan(0);
      const id = await client.addStream(at('still.value'));
      await client.until(id);
      const after = readStatus(await tell('GetStatus'));
      expect(Number(after.rpcsExecuted - before.rpcsExecuted)).to.be.greaterThanOrEqual(2);
      expect(after.bytesRead > before.bytesRead && after.bytesWritten > before.bytesWritten).to.equal(true);
      expect([after.streamRpcs, after.streamRpcsExecuted > before.streamRpcsExecuted]).to.deep.equal([1, true]);
    });

    it('knows the clients by identifier, name and address', async () => {
      expect(readText(await tell('GetClientName'))).to.equal('Val');
      const id = Buffer.from(await tell('GetClientID')).toString('hex');
      const clients = readItems(await tell('get_Clients')).map(readItems);
      const own = clients.find(([one]) => one?.toString('hex') === id) as Buffer[];
      expect(readText(own[1] as Buffer)).to.equal('Val');
      expect(readText(own[2] as Buffer)).to.match(/^127\.0\.0\.1:\d+$/);
    });

    it('pauses the simulation and lets it run, and has one scene', async () => {
      expect(readBool(await tell('get_Paused'))).to.equal(false);
      await tell('set_Paused', bool(true));
      expect(readBool(await tell('get_Paused'))).to.equal(true);
      await rest();
      expect(readBool(await tell('get_Paused'))).to.equal(false);
      expect([unzigzag(await tell('get_GameScene')), unzigzag(await tell('get_CurrentGameScene'))]).to.deep.equal([
        0, 0,
      ]);
      await tell('set_GameScene', zigzag(0));
      expect((await client.failure(krpc('set_GameScene', zigzag(1)))).exception).to.equal('InvalidOperationException');
    });

    it('answers the calls of a batch in order, each with its own result', async () => {
      const { results } = await client.request(
        call('VarServer', 'Set', text('still.value'), double(1)),
        at('still.value'),
        call('VarServer', 'Nope'),
        call('VarServer', 'Set', text('still.value'), double(5)),
        at('still.value'),
      );
      expect(
        results.map(({ error, value }) => error?.description ?? (value.length > 0 ? readDouble(value) : '')),
      ).to.deep.equal(['', 1, 'Procedure "Nope" not found, in service "VarServer"', '', 5]);
    });

    it('sends a stream when it has changed, all of one frame in one update', async () => {
      await tell('set_Paused', bool(true));
      const calls = [
        at('clock.steps'),
        at('many.ramps[0]'),
        at('many.ramps[449]'),
        call('VarServer', 'get_ElapsedTime'),
        at('still.value'),
      ];
      const ids: bigint[] = [];
      for (const one of calls) ids.push(await client.addStream(one, false));
      for (const id of ids) await tell('StartStream', varint(id));
      const seen = new Map<bigint, number>();
      const take = async (): Promise<bigint[]> => {
        const results = await client.update();
        for (const { id, result } of results) seen.set(id, readDouble(result?.value as Uint8Array));
        return results.map(({ id }) => id);
      };
      while (seen.size < ids.length) await take();
      await rest();
      for (let k = 0; k < 10; k++) {
        expect(await take()).not.to.include(ids[4]);
        const [steps, first, last, time] = ids.map((id) => seen.get(id) as number) as [number, number, number, number];
        expect([first, last]).to.deep.equal([steps, steps + 449]);
        expect(time).to.be.closeTo(steps / 100, 0.011);
      }
    });

    it('has one stream for equal calls of a client, and numbers of its own for others', async () => {
      const one = await client.addStream(at('still.value'));
      expect(await client.addStream(at('still.value'))).to.equal(one);
      // By numbers, with a default that is given, and with an argument more than there are.
      const [alias, units] = [text('still.value'), text('')];
      const equal = [call(2, 1, alias), call('VarServer', 'Get', alias, units), call(2, 'Get', alias, units, units)];
      for (const other of equal) expect(await client.addStream(other)).to.equal(one);
      expect(await client.addStream(call('VarServer', 'Get', alias, text('1')))).not.to.equal(one);
      expect(await client.addStream(at('clock.steps'))).not.to.equal(one);
      const other = await served.client(kind);
      expect(await other.addStream(at('still.value'))).not.to.equal(one);
    });

    it('sends the first value once, and again with StartStream', async () => {
      const id = await client.addStream(at('still.value'), false);
      const clock = await client.addStream(at('clock.steps'));
      for (let k = 0; k < 5; k++) expect((await client.update()).map((one) => one.id)).to.deep.equal([clock]);
      await tell('StartStream', varint(id));
      expect(readDouble((await client.until(id)).value)).to.equal(5);
      for (let k = 0; k < 5; k++) expect((await client.update()).map((one) => one.id)).to.deep.equal([clock]);
      await tell('StartStream', varint(id));
      expect(readDouble((await client.until(id)).value)).to.equal(5);
    });

    it('sends a change that a client makes in a freeze', async () => {
      await tell('set_Paused', bool(true));
      const id = await client.addStream(at('still.value'));
      await client.until(id);
      await client.call(call('VarServer', 'Set', text('still.value'), double(8)));
      expect(readDouble((await client.until(id)).value)).to.equal(8);
      await client.call(call('VarServer', 'Set', text('still.value'), double(5)));
      await rest();
    });

    all('sends a null at once, with its flag', async () => {
      const north = await client.call(call('ThePlant', 'get_North'));
      const tank = await client.call(call('ThePlant', 'North_get_Tank', north));
      const id = await client.addStream(call('ThePlant', 'Tank_get_Nearest', tank));
      const result = await client.until(id);
      expect([result.isNull, Buffer.from(result.value).toString('hex')]).to.deep.equal([true, '00']);
    });

    it('keeps the rate that a stream was given', async () => {
      const clock = await client.addStream(at('clock.steps'));
      await tell('SetStreamRate', varint(clock), float(10));
      await client.until(clock);
      const steps: number[] = [];
      const ticks = (): number => (steps.at(-1) as number) - (steps.at(-5) as number);
      while (steps.length < 5) steps.push(readDouble((await client.until(clock)).value));
      // Between two updates lie ten ticks; a busy machine may make few of them for a while.
      while (steps.length < 50 && ticks() <= 20) steps.push(readDouble((await client.until(clock)).value));
      expect(ticks()).to.be.greaterThan(20);
      expect((await client.failure(krpc('SetStreamRate', varint(clock), float(-1)))).message).to.include(
        'from 0 up, not -1',
      );
    });

    it('ends a stream that is removed; a second time changes nothing', async () => {
      const id = await client.addStream(at('clock.steps'));
      await client.until(id);
      await tell('RemoveStream', varint(id));
      await tell('RemoveStream', varint(id));
      await tell('RemoveStream', varint(12_345));
      const error = await client.failure(krpc('StartStream', varint(id)));
      expect([error.exception, error.message]).to.deep.equal([
        'InvalidOperationException',
        'Stream does not exist with this id',
      ]);
      const other = await client.addStream(at('still.value'));
      for (;;) {
        const results = await client.update();
        if (results.some((one) => one.id === other)) break;
      }
      expect(other).not.to.equal(id);
    });

    it('refuses a stream of nothing, of an unknown procedure, or without a stream connection', async () => {
      const refused = async (one: Call): Promise<string> =>
        (await client.failure(krpc('AddStream', callBytes(one)))).message;
      expect(await refused(call('VarServer', 'Set', text('still.value'), double(1)))).to.include('returns nothing');
      expect(await refused(call('VarServer', 'Nope'))).to.include('not found');
      expect(await refused(at('nowhere'))).to.include('nowhere');
      expect(
        await refused(call('ThePlant', 'Many_get_Large', await client.call(call('ThePlant', 'get_Many')))),
      ).to.include('20000 values');
      client.streams?.close();
      let message = '';
      while (!message.startsWith('No stream')) {
        message = await refused(at('still.value')).catch(() => '');
      }
      expect(message).to.equal('No stream client is connected for this RPC client');
    });

    all('streams what a function gives, asked once for each tick', async () => {
      const id = await client.addStream(
        call(
          'ThePlant',
          'AddUp',
          Buffer.concat([1, 2, 3].map((x) => Buffer.concat([Buffer.from([10, 8]), double(x)]))),
        ),
      );
      expect(readDouble((await client.until(id)).value)).to.equal(11);
    });

    it('sends streams that were asked for by numbers as those by names', async () => {
      const id = readStream(await tell('AddStream', callBytes(call(2, 1, text('still.value')))));
      expect(readDouble((await client.until(id)).value)).to.equal(5);
    });

    describe('expressions', () => {
      const make = (name: string, ...given: Uint8Array[]): Promise<Uint8Array> =>
        tell(`Expression_static_${name}`, ...given);
      const steps = (): Promise<Uint8Array> => make('Call', callBytes(at('clock.steps')));

      /** The steps at which an event for a few steps after the present one came, counted from the present one. */
      const stepsOfEvent = async (): Promise<number[]> => {
        await tell('set_Paused', bool(true));
        const now = readDouble(await client.call(at('clock.steps')));
        const condition = await make(
          'And',
          await make('GreaterThan', await steps(), await make('ConstantDouble', double(now + 5))),
          await make('LessThan', await steps(), await make('ConstantDouble', double(now + 9))),
        );
        const id = readEvent(await tell('AddEvent', condition));
        const clock = await client.addStream(at('clock.steps'));
        await client.until(clock);
        await tell('StartStream', varint(id));
        await rest();
        const met: number[] = [];
        for (let last = 0; last < now + 12; ) {
          const results = await client.update();
          last =
            results.filter((one) => one.id === clock).map(({ result }) => readDouble(result?.value as Uint8Array))[0] ??
            last;
          for (const one of results) {
            if (one.id !== id) continue;
            expect(readBool(one.result?.value as Uint8Array)).to.equal(true);
            met.push(last - now);
          }
        }
        return met;
      };

      it('make events in each frame in which they are true, and in no other', async () => {
        let met: ReadonlySet<number> = new Set();
        // On a busy machine a frame is passed over, and what happened in it is told with a later one.
        for (let tries = 0; tries < 40 && [...met].join() !== '6,7,8'; tries++) {
          met = new Set(await stepsOfEvent());
          expect([...met].every((step) => step >= 6)).to.equal(true);
        }
        expect([...met]).to.deep.equal([6, 7, 8]);
      });

      it('end with an error that is told', async () => {
        const zero = await make('ConstantInt', zigzag(0));
        const broken = await make('Equal', await make('Divide', zero, zero), zero);
        const id = readEvent(await tell('AddEvent', broken));
        await tell('StartStream', varint(id));
        const { error } = await client.until(id);
        expect([error?.name, error?.description]).to.deep.equal([
          'InvalidOperationException',
          'an integer was divided by zero',
        ]);
        expect((await client.failure(krpc('StartStream', varint(id)))).message).to.include('does not exist');
      });

      it('are refused when their types do not go together', async () => {
        const [whole, real] = [await make('ConstantInt', zigzag(1)), await make('ConstantDouble', double(1))];
        const error = await client.failure(krpc('Expression_static_Add', whole, real));
        expect([error.exception, error.message]).to.deep.equal([
          'InvalidOperationException',
          'Add is not defined for sint32 and double; Cast converts a type',
        ]);
        const cast = await make('Cast', whole, await tell('Type_static_Double'));
        expect(readVarint(await make('Add', cast, real)).value > 0n).to.equal(true);
        expect((await client.failure(krpc('AddEvent', real))).message).to.include('true or false');
      });
    });
  });
}

describe('the streams of kRPC', () => {
  let served: KrpcServed;
  before(async () => {
    served = await KrpcServed.start(PLANT);
  });
  after(() => served.stop());

  it('lose whole updates when they are not read, and nobody else notices', async () => {
    const slow = await served.client();
    const stuck = slow.streams as TcpChannel;
    stuck.socket.pause();
    for (let k = 0; k < 450; k++) await slow.addStream(at(`many.ramps[${k}]`));
    const other = await served.client();
    const id = await other.addStream(at('clock.steps'));
    let start = readDouble((await other.until(id)).value);
    let last = start;
    while (last < start + 700) {
      const now = readDouble((await other.until(id)).value);
      // After a time in which the machine was busy with something else, it is counted anew.
      if (now - last >= 350) start = now;
      last = now;
    }
    stuck.socket.resume();
    const seen = new Map<bigint, number>();
    let isWhole = true;
    let latest = 0;
    while (latest < last) {
      for (const one of await slow.update()) seen.set(one.id, readDouble(one.result?.value as Uint8Array));
      const values = [...seen.values()];
      latest = values[0] ?? 0;
      if (values.length === 450) isWhole &&= values.every((value, index) => value === latest + index);
    }
    expect(isWhole).to.equal(true);
  });

  it('move to a second stream connection of the same client', async () => {
    const client = await served.client();
    const id = await client.addStream(at('still.value'));
    await client.until(id);
    const second = new TcpChannel(served.ports.stream);
    await handshake(second, { type: 1, clientIdentifier: client.identifier });
    expect(await client.streams?.next()).to.equal(undefined);
    client.streams = second;
    expect(readDouble((await client.until(id)).value)).to.equal(5);
  });
});
