// A simulation as kRPC's clients see it: classes, properties, objects, functions, and the service VarServer.
import { expect } from 'chai';
import { serve } from '../../lib/index.js';
import { type Call, call, callBytes, type KrpcClient, readServices, requestBytes, SocketChannel } from './client.js';
import { KrpcServed } from './served.js';
import {
  bool,
  dictionary,
  double,
  float,
  items,
  readBool,
  readDictionary,
  readDouble,
  readFloat,
  readItems,
  readText,
  readVarint,
  text,
  unzigzag,
  varint,
  zigzag,
} from './values.js';

const S = 'ThePlant';
const PLANT = new URL('plant.js', import.meta.url);

describe("a simulation for kRPC's clients", () => {
  let served: KrpcServed;
  let client: KrpcClient;
  let tank: Uint8Array;
  before(async () => {
    served = await KrpcServed.start(PLANT, { tokens: new Map([['look', 'read-only']]), trick: 'local' }, serve);
    client = await served.client();
    const north = await client.call(call(S, 'get_North'));
    tank = await client.call(call(S, 'North_get_Tank', north));
  });
  after(() => served.stop());

  const ask = (procedure: string, ...given: (Uint8Array | null)[]): Call => call(S, procedure, ...given);
  const get = (name: string, of: Uint8Array = tank, kind = 'Tank'): Promise<Uint8Array> =>
    client.call(ask(`${kind}_get_${name}`, of));
  const set = (name: string, value: Uint8Array | null): Promise<Uint8Array> =>
    client.call(ask(`Tank_set_${name}`, tank, value));
  const server = (procedure: string, ...given: (Uint8Array | null | undefined)[]): Promise<Uint8Array> =>
    client.call(call('VarServer', procedure, ...given));
  const doubles = (bytes: Uint8Array): number[] => readItems(bytes).map(readDouble);

  it('is one service with its classes, enumerations and documentation', async () => {
    const services = readServices(await client.call(call('KRPC', 'GetServices')));
    expect(services.map(({ name }) => name)).to.deep.equal(['KRPC', 'VarServer', S]);
    const own = services.find(({ name }) => name === S);
    expect(own?.classes.map(({ name }) => name)).to.include.members([
      'Tank',
      'Sensor',
      'North',
      'Clock',
      'Still',
      'Many',
    ]);
    expect(
      own?.enumerations.map(({ name, values }) => [name, values.map((one) => [one.name, one.value])]),
    ).to.deep.equal([
      [
        'Phase',
        [
          ['IDLE', 0],
          ['HEATING', 1],
          ['COOLING', 7],
        ],
      ],
    ]);
    const level = own?.procedures.find(({ name }) => name === 'Tank_get_FillLevel');
    expect(level?.documentation).to.equal('<doc>\n<summary>\nfill_level: above the bottom [m]\n</summary>\n</doc>');
    expect(level?.parameters.map(({ name, type }) => [name, type?.code, type?.service, type?.name])).to.deep.equal([
      ['this', 100, S, 'Tank'],
    ]);
    const refill = own?.procedures.find(({ name }) => name === 'Refill');
    expect(refill?.documentation).to.include('fills &lt;north&gt;\nlevel: the new level [m]');
    expect(own?.procedures.some(({ name }) => name === 'Untyped')).to.equal(false);
    expect(own?.procedures.some(({ name }) => name.startsWith('get_Trick'))).to.equal(false);
    const names = (own?.procedures ?? []).map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
    for (const name of names)
      expect(name).to.match(/^[A-Za-z0-9]+(_(get|set|static)_[A-Za-z0-9]+)?$|^(get|set)_[A-Za-z0-9]+$/);
  });

  it('reads members of every type', async () => {
    expect(readDouble(await get('FillLevel'))).to.equal(1.5);
    expect(unzigzag(await get('Total'))).to.equal(-5_000_000_000);
    expect(readVarint(await get('Huge')).value).to.equal(18_000_000_000_000_000_000n);
    expect(readBool(await get('IsOpen'))).to.equal(false);
    expect(unzigzag(await get('Phase'))).to.equal(1);
    expect(readText(await get('Label'))).to.equal('Nord');
    expect((await client.result(ask('Tank_get_Note', tank))).isNull).to.equal(true);
    expect(readItems(await get('Matrix')).map(doubles)).to.deep.equal([
      [1, 2, 3],
      [4, 5, 6],
    ]);
    expect(doubles(await get('Spare'))).to.deep.equal([7, 8]);
    expect(unzigzag(await get('Serial'))).to.equal(99);
    expect((await client.failure(ask('Tank_get_Secret', tank))).message).to.include('not found');
    expect(readDouble(await get('Reading', await get('Main'), 'Sensor'))).to.equal(300);
    const [, second] = readItems(await get('Sensors')) as [Buffer, Buffer];
    expect(readText(await get('Label', second, 'Sensor'))).to.equal('b');
    expect(readText(await get('VariablePath', second, 'Sensor'))).to.equal('north.tank.sensors[1]');
    const extra = readItems(await get('Extra'));
    expect(extra).to.have.length(1);
    expect(readDouble(await get('Reading', extra[0], 'Sensor'))).to.equal(3);
    for (const name of ['Nearest', 'Lengths']) {
      const result = await client.result(ask(`Tank_get_${name}`, tank));
      expect([result.isNull, result.value.length], name).to.deep.equal([true, 1]);
    }
  });

  it('writes members, which the next call sees, and refuses what does not fit', async () => {
    await set('FillLevel', double(2.5));
    expect(readDouble(await get('FillLevel'))).to.equal(2.5);
    await set('Small', float(0.5));
    expect(readFloat(await get('Small'))).to.equal(0.5);
    await set('UnsignedCount', varint(4_000_000_000));
    expect(readVarint(await get('UnsignedCount')).value).to.equal(4_000_000_000n);
    await set('IsOpen', bool(true));
    await set('Phase', zigzag(7));
    await set('Label', text('Größe'));
    await set('Note', text('there'));
    await set('Spare', items(double(1), double(2), double(3)));
    await set('Matrix', items(items(double(6), double(5), double(4)), items(double(3), double(2), double(1))));
    await set('Secret', zigzag(3));
    expect(readBool(await get('IsOpen'))).to.equal(true);
    expect(unzigzag(await get('Phase'))).to.equal(7);
    expect(readText(await get('Label'))).to.equal('Größe');
    expect(readText(await get('Note'))).to.equal('there');
    expect(doubles(await get('Spare'))).to.deep.equal([1, 2, 3]);
    expect(readItems(await get('Matrix')).map(doubles)[0]).to.deep.equal([6, 5, 4]);
    await set('Note', null);
    expect((await client.result(ask('Tank_get_Note', tank))).isNull).to.equal(true);
    const wrong: readonly [name: string, value: Uint8Array, says: RegExp][] = [
      ['Phase', zigzag(3), /Phase/],
      ['Flags', varint(8), /from 0 to 7/],
      ['Letter', zigzag(300), /from -128 to 127/],
      ['Label', text('x'.repeat(21)), /room for 20 bytes/],
      ['Matrix', items(items(double(1))), /takes 2 elements/],
      ['Spare', items(...Array.from({ length: 9 }, () => double(1))), /room for 8/],
    ];
    for (const [name, value, says] of wrong) {
      const error = await client.failure(ask(`Tank_set_${name}`, tank, value));
      expect([error.service, error.exception], name).to.deep.equal(['KRPC', 'ArgumentException']);
      expect(error.message).to.match(says);
    }
    expect((await client.failure(ask('Tank_set_Serial', tank, zigzag(1)))).message).to.include('not found');
  });

  it('finds objects of a class, and knows equal objects by equal numbers', async () => {
    const both = readItems(await client.call(ask('North_static_All')));
    expect(both).to.have.length(2);
    const north = await client.call(ask('get_North'));
    const south = await client.call(ask('North_static_Find', text('south')));
    expect(both.map((one) => one.toString('hex'))).to.deep.equal(
      [north, south].map((one) => Buffer.from(one).toString('hex')),
    );
    expect((await client.result(ask('North_static_Find', text('west')))).isNull).to.equal(true);
    const tanks = await client.call(ask('North_get_Tank', south));
    expect(readText(await get('Label', tanks))).to.equal('Süd');
  });

  it('calls functions with what they take, and tells why one has failed', async () => {
    await client.call(ask('Refill', double(4)));
    expect(readDouble(await get('FillLevel'))).to.equal(4);
    const point = items(double(1), double(2), zigzag(7));
    const mirrored = readItems(await client.call(ask('DynTankMirror', point, items(text('a'))))) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    expect([readDouble(mirrored[0]), readDouble(mirrored[1]), unzigzag(mirrored[2])]).to.deep.equal([-1, 2, 7]);
    expect(readDouble(await client.call(ask('AddUp', items(double(1), double(2), double(3)))))).to.equal(11);
    const failed = await client.failure(ask('Refill', double(11)));
    expect([failed.exception, failed.message]).to.deep.equal([
      'InvalidOperationException',
      'function refill failed: the tank is not that high',
    ]);
    const misfit = await client.failure(ask('AddUp', items(double(1))));
    expect(misfit.message).to.match(/takes 3 elements, not 1/);
  });

  it('reads and writes any variable by its path, in any units', async () => {
    await server('Set', text('north.tank.fill_level'), double(3));
    expect(readDouble(await server('Get', text('north.tank.fill_level')))).to.equal(3);
    expect(readDouble(await server('Get', text('north.tank.fill_level'), text('cm')))).to.equal(300);
    await server('Set', text('north.tank.fill_level'), double(250), text('cm'));
    const many = items(text('north.tank.fill_level'), text('north.tank.sensors[1].reading'));
    expect(doubles(await server('GetMany', many))).to.deep.equal([2.5, 2]);
    expect(readText(await server('GetText', text('south.tank.label')))).to.equal('Süd');
    await server('SetText', text('south.tank.label'), text('Sud'));
    expect(readText(await server('GetText', text('south.tank.label')))).to.equal('Sud');
    const [phase, note] = [text('south.tank.phase'), text('south.tank.note')];
    await server('SetText', phase, text('COOLING'));
    expect(readText(await server('GetText', phase))).to.equal('COOLING');
    await server('SetText', note, text('there'));
    expect(readText(await server('GetText', note))).to.equal('there');
    await server('SetText', note, null);
    expect((await client.result(call('VarServer', 'GetText', note))).isNull).to.equal(true);
    await server('SetList', text('north.tank.matrix[0]'), items(double(9), double(8), double(7)));
    expect(doubles(await server('GetList', text('north.tank.matrix')))).to.deep.equal([9, 8, 7, 3, 2, 1]);
    await server('SetMany', dictionary([text('still.value'), double(6)], [text('north.tank.count'), double(4)]));
    expect(doubles(await server('GetMany', items(text('still.value'), text('north.tank.count'))))).to.deep.equal([
      6, 4,
    ]);
    await server('Set', text('still.value'), double(5));
    expect(doubles(await server('GetList', text('many.large'), undefined, zigzag(19_998)))).to.deep.equal([0, 0]);
  });

  it('refuses a path, units or type that does not fit, and a value that is too large to read', async () => {
    const failure = async (...given: Parameters<typeof call>): Promise<[string, string]> => {
      const error = await client.failure(call(...given));
      return [error.exception, error.message];
    };
    const wrong: readonly [Parameters<typeof call>, RegExp][] = [
      [['VarServer', 'Get', text('north.tank.fil_level')], /has no member fil_level.*fill_level/],
      [['VarServer', 'Get', text('north.tank.fill_level'), text('kg')], /kg/],
      [['VarServer', 'Get', text('north.tank.label')], /is std::string, which is no number/],
      [['VarServer', 'Get', text('north.tank')], /is Tank, which is no number/],
      [['VarServer', 'Get', text('north.tank.secret')], /write-only/],
      [['VarServer', 'GetText', text('still.value')], /is double, which is no text/],
      [['VarServer', 'SetText', text('still.value'), text('5')], /is double, which is no text/],
      [['VarServer', 'SetText', text('south.tank.phase'), text('BOILING')], /BOILING/],
      [['VarServer', 'SetText', text('south.tank.label'), null], /does not fit/],
      [['VarServer', 'GetList', text('north.tank')], /holds no numbers side by side/],
      [['VarServer', 'GetList', text('many.large'), text(''), zigzag(-1)], /from 0 up, not -1/],
      [['VarServer', 'Set', text('north.tank.serial'), double(1)], /read-only/],
      [['VarServer', 'Set', text('north.tank.count'), double(1.5)], /does not fit/],
      [['VarServer', 'List', text(''), text(''), zigzag(0)], /from 1 to 10000/],
      [['VarServer', 'List', text('nowhere')], /no object nowhere/],
      [[S, 'Many_get_Large', await client.call(ask('get_Many'))], /20000 values.*VarServer\.GetList/],
    ];
    for (const [given, says] of wrong) {
      const [exception, message] = await failure(...given);
      expect(message, given[1] as string).to.match(says);
      expect(exception).to.equal('ArgumentException');
    }
  });

  it('lists names below a prefix, page by page, and describes a variable', async () => {
    const names = async (...given: Uint8Array[]): Promise<string[]> =>
      readItems(await server('List', ...given)).map((name) => readText(name));
    expect(await names(text('north.tank.main'))).to.deep.equal(['north.tank.main.label', 'north.tank.main.reading']);
    const all = await names(text('north'));
    const first = await names(text('north'), text(''), zigzag(5));
    const rest = await names(text('north'), text(first.at(-1) as string));
    expect([...first, ...rest]).to.deep.equal(all);
    const described = readDictionary(await server('Describe', text('north.tank.fill_level')));
    expect(Object.fromEntries(described.map(([key, value]) => [readText(key), readText(value)]))).to.include({
      type: 'double',
      units: 'm',
      about: 'above the bottom',
      access: 'read-write',
    });
  });

  it('tells the simulation time of the values beside them', async () => {
    const { results } = await client.request(call('VarServer', 'get_SimTime'), call('VarServer', 'get_ElapsedTime'));
    const [time, elapsed] = results.map(({ value }) => readDouble(value));
    expect(time)
      .to.be.a('number')
      .and.to.be.closeTo(elapsed as number, 0.05);
    expect(readText(await server('get_ClockLabel'))).to.equal('sim_elapsed');
    expect(Number(readVarint(await server('get_FrameNumber')).value)).to.be.greaterThan(0);
    expect(readText(await server('get_Version'))).to.match(/^\d+\.\d+\.\d+$/);
  });

  it('lets a WebSocket with a read-only token read, and change nothing', async () => {
    const channel = new SocketChannel(`ws://127.0.0.1:${served.ports.rpc}/?token=look`);
    await channel.opened;
    const refused = async (...given: Parameters<typeof call>): Promise<string> => {
      channel.send(requestBytes(call(...given)));
      return ((await channel.next()) as Buffer).toString();
    };
    expect(await refused('VarServer', 'Set', text('still.value'), double(1))).to.include(
      'may read the simulation, and not change it',
    );
    expect(await refused('KRPC', 'set_Paused', bool(true))).to.include('may read the simulation, and not change it');
    expect(await refused(S, 'Refill', double(1))).to.include('may read the simulation, and not change it');
    const streamed = callBytes(call(S, 'AddUp', items(double(1), double(2), double(3))));
    expect(await refused('KRPC', 'Expression_static_Call', streamed)).to.include(
      'may read the simulation, and not change it',
    );
    expect(await refused('VarServer', 'Get', text('still.value'))).not.to.include('may read');
    channel.close();
    const stranger = new SocketChannel(`ws://127.0.0.1:${served.ports.rpc}/`);
    expect(await stranger.opened.catch((error: Error) => error.message)).to.include('401');
  });
});

describe("a large state for kRPC's clients", () => {
  let served: KrpcServed;
  before(async () => {
    const simArguments = ['--large', '200000'];
    served = await KrpcServed.start(new URL('../attacks/target.js', import.meta.url), { arguments: simArguments });
  });
  after(() => served.stop());

  it('is read, written and streamed where no frame has carried it before', async () => {
    const client = await served.client();
    const far = (index: number): Call => call('VarServer', 'Get', text(`vast.doubles[${index}]`));
    const set = (index: number, value: number): Promise<Uint8Array> =>
      client.call(call('VarServer', 'Set', text(`vast.doubles[${index}]`), double(value)));
    expect(readDouble(await client.call(far(150_000)))).to.equal(0);
    await set(150_000, 5);
    expect(readDouble(await client.call(far(150_000)))).to.equal(5);
    await set(40_000, 7);
    const id = await client.addStream(far(40_000));
    expect(readDouble((await client.until(id)).value)).to.equal(7);
    await set(40_000, 8);
    expect(readDouble((await client.until(id)).value)).to.equal(8);
    const part = await client.call(
      call('VarServer', 'GetList', text('vast.doubles'), text(''), zigzag(149_999), zigzag(2)),
    );
    expect(readItems(part).map(readDouble)).to.deep.equal([0, 5]);
  });
});
