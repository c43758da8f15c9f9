// Every procedure, class, enumeration and exception of kRPC's TestService, over TCP and WebSocket.
import { expect } from 'chai';
import { type Call, call, type KrpcClient, type KrpcError, readEvent, readServices } from './client.js';
import { KINDS, KrpcServed } from './served.js';
import {
  blob,
  bool,
  dictionary,
  double,
  float,
  items,
  readBool,
  readDictionary,
  readItems,
  readText,
  readVarint,
  text,
  unzigzag,
  varint,
  zigzag,
} from './values.js';

const S = 'TestService';
const NULL = varint(0);

for (const kind of KINDS) {
  describe(`kRPC's TestService over ${kind}`, () => {
    let served: KrpcServed;
    let client: KrpcClient;
    before(async () => {
      served = await KrpcServed.testService();
      client = await served.client(kind);
    });
    after(() => served.stop());

    const ask = (procedure: string, ...given: (Uint8Array | null | undefined)[]): Call => call(S, procedure, ...given);
    const textOf = async (procedure: string, ...given: (Uint8Array | null | undefined)[]): Promise<string> =>
      readText(await client.call(ask(procedure, ...given)));
    const intOf = async (procedure: string, ...given: (Uint8Array | null | undefined)[]): Promise<number> =>
      unzigzag(await client.call(ask(procedure, ...given)));
    const create = (value: string): Promise<Uint8Array> => client.call(ask('CreateTestObject', text(value)));

    it('converts values of every type', async () => {
      expect(await textOf('FloatToString', float(1.23456))).to.equal('1.23456');
      expect(await textOf('FloatToString', float(0.1))).to.equal('0.1');
      expect(await textOf('DoubleToString', double(1.23456))).to.equal('1.23456');
      expect(await textOf('Int32ToString', zigzag(42))).to.equal('42');
      expect(await textOf('Int32ToString', zigzag(-2_147_483_648))).to.equal('-2147483648');
      expect(await textOf('Int64ToString', zigzag(123_456_789_000))).to.equal('123456789000');
      expect(await textOf('BoolToString', bool(true))).to.equal('True');
      expect(await textOf('BoolToString', bool(false))).to.equal('False');
      expect(await intOf('StringToInt32', text('12345'))).to.equal(12345);
      expect(await textOf('BytesToHexString', blob(Buffer.from('deadbeef', 'hex')))).to.equal('deadbeef');
      expect(await textOf('AddMultipleValues', float(0.14159), zigzag(1), zigzag(2))).to.equal('3.14159');
    });

    it('has properties, some with one direction only', async () => {
      for (const value of ['foo', 'foo\nbar', 'foo\r\nbar', 'foo\x10\x13bar', 'Größe', '']) {
        expect(await client.call(ask('set_StringProperty', text(value)))).to.have.length(0);
        expect(await textOf('get_StringProperty')).to.equal(value);
      }
      await client.call(ask('set_StringPropertyPrivateGet', text('foo')));
      expect(await textOf('get_StringPropertyPrivateSet')).to.equal('foo');
      const missing = await client.failure(ask('get_StringPropertyPrivateGet'));
      expect(missing.message).to.equal('Procedure "get_StringPropertyPrivateGet" not found, in service "TestService"');
    });

    it('takes objects with the value that they have now for equal', async () => {
      const changed = await create('val');
      await client.call(ask('TestClass_set_StringPropertyPrivateGet', changed, text('valentina')));
      expect(Buffer.compare(await create('valentina'), changed)).to.equal(0);
      const other = await create('val');
      expect(Buffer.compare(other, changed)).not.to.equal(0);
      expect(await textOf('TestClass_GetValue', other)).to.equal('value=val');
      expect(await textOf('TestClass_GetValue', changed)).to.equal('value=valentina');
    });

    it('gives objects numbers from 1, the same for equal ones, and null as 0 with its flag', async () => {
      const jeb = await create('jeb');
      expect(Number(readVarint(jeb).value)).to.be.greaterThan(0);
      expect(Buffer.compare(await create('jeb'), jeb)).to.equal(0);
      expect(Buffer.compare(await create('bob'), jeb)).not.to.equal(0);
      expect(Buffer.compare(await client.call(ask('EchoTestObject', jeb)), jeb)).to.equal(0);
      for (const none of [NULL, null]) {
        const echo = await client.result(ask('EchoTestObject', none));
        expect([Buffer.from(echo.value).toString('hex'), echo.isNull]).to.deep.equal(['00', true]);
      }
      await client.call(ask('set_ObjectProperty', jeb));
      expect(Buffer.compare(await client.call(ask('get_ObjectProperty')), jeb)).to.equal(0);
      await client.call(ask('set_ObjectProperty', NULL));
      expect((await client.result(ask('get_ObjectProperty'))).isNull).to.equal(true);
      const refused = await client.failure(ask('ReturnNullWhenNotAllowed'));
      expect([refused.service, refused.exception, refused.message]).to.deep.equal([
        '',
        '',
        'Incorrect value returned by TestService.ReturnNullWhenNotAllowed. Expected a non-null value of type TestServer.TestService+TestClass, got null, but the procedure is not marked as nullable.',
      ]);
    });

    it('has classes with methods, properties and static methods', async () => {
      const [bob, bill] = [await create('bob'), await create('bill')];
      expect(await textOf('TestClass_GetValue', bob)).to.equal('value=bob');
      expect(await textOf('TestClass_FloatToString', bob, float(1.23456))).to.equal('bob1.23456');
      expect(await textOf('TestClass_ObjectToString', bob, bill)).to.equal('bobbill');
      expect(await textOf('TestClass_ObjectToString', bob, NULL)).to.equal('bobnull');
      await client.call(ask('TestClass_set_IntProperty', bob, zigzag(42)));
      expect(await intOf('TestClass_get_IntProperty', bob)).to.equal(42);
      expect((await client.result(ask('TestClass_get_ObjectProperty', bob))).isNull).to.equal(true);
      await client.call(ask('TestClass_set_ObjectProperty', bob, bill));
      expect(Buffer.compare(await client.call(ask('TestClass_get_ObjectProperty', bob)), bill)).to.equal(0);
      await client.call(ask('TestClass_set_StringPropertyPrivateGet', bill, text('william')));
      expect(await textOf('TestClass_get_StringPropertyPrivateSet', bill)).to.equal('william');
      expect(await textOf('TestClass_OptionalArguments', bob, text('x'))).to.equal('xfoobarnull');
      expect(await textOf('TestClass_static_StaticMethod')).to.equal('jeb');
      expect(await textOf('TestClass_static_StaticMethod', text('bob'), text('bill'))).to.equal('jebbobbill');
    });

    it('fills in arguments that are left out, and ignores one too many', async () => {
      const jeb = await create('jeb');
      expect(await textOf('OptionalArguments', text('jeb'))).to.equal('jebfoobarnull');
      expect(await textOf('OptionalArguments', text('x'), undefined, text('z'))).to.equal('xfooznull');
      expect(await textOf('OptionalArguments', text('x'), text('y'), text('z'), jeb)).to.equal('xyzjeb');
      expect(await textOf('OptionalArguments', text('x'), text('y'), text('z'), jeb, text('more'))).to.equal('xyzjeb');
      const refused = await client.failure(ask('OptionalArguments'));
      expect(refused.message).to.equal('Argument not specified for parameter x in TestService.OptionalArguments');
    });

    it('tells defaults in the form of every release: by their bytes, by a flag, and whether they are null', async () => {
      const service = readServices(await client.call(call('KRPC', 'GetServices'))).find(({ name }) => name === S);
      const parameters = service?.procedures.find(({ name }) => name === 'OptionalArguments')?.parameters ?? [];
      expect(
        parameters.map(({ name, defaultValue, hasDefaultValue, defaultValueIsNull, nullable }) => [
          name,
          Buffer.from(defaultValue).toString('latin1'),
          hasDefaultValue,
          defaultValueIsNull,
          nullable,
        ]),
      ).to.deep.equal([
        ['x', '', false, false, false],
        ['y', '\x03foo', true, false, false],
        ['z', '\x03bar', true, false, false],
        ['obj', '\0', true, true, false],
      ]);
      // A null by its flag alone, as clients of 0.7 send it, and one where none may be.
      expect(await textOf('OptionalArguments', text('x'), undefined, undefined, null)).to.equal('xfoobarnull');
      const refused = await client.failure(ask('OptionalArguments', null));
      expect(refused.message).to.match(/^Incorrect argument type for parameter x in TestService\.OptionalArguments\./);
    });

    it('refuses bytes that are no value of the type', async () => {
      for (const bytes of [Buffer.alloc(0), Buffer.alloc(3)]) {
        const refused = await client.failure(ask('FloatToString', bytes));
        expect(refused.message).to.match(/^Incorrect argument type for parameter value in TestService\.FloatToString/);
      }
      expect((await client.failure(ask('FloatToString', null))).message).to.match(/^Incorrect argument type/);
    });

    it('ignores bytes behind a number or a text, which the client for JavaScript sends', async () => {
      const rest = Buffer.alloc(12, 0xa5);
      const longer = (bytes: Uint8Array): Buffer => Buffer.concat([bytes, rest]);
      expect(await textOf('FloatToString', longer(float(1.5)))).to.equal('1.5');
      expect(await textOf('DoubleToString', longer(double(1.5)))).to.equal('1.5');
      expect(await textOf('Int32ToString', longer(zigzag(-42)))).to.equal('-42');
      expect(await textOf('Int64ToString', longer(zigzag(-42)))).to.equal('-42');
      expect(await textOf('BoolToString', longer(bool(true)))).to.equal('True');
      expect(await intOf('StringToInt32', longer(text('12')))).to.equal(12);
      expect(await textOf('BytesToHexString', longer(blob(Buffer.from('beef', 'hex'))))).to.equal('beef');
      expect(await intOf('EnumEcho', longer(zigzag(2)))).to.equal(2);
      expect(await textOf('TestClass_GetValue', longer(await create('jeb')))).to.equal('value=jeb');
    });

    it('refuses a whole request that names an unknown object', async () => {
      const { error, results } = await client.request(
        ask('set_StringProperty', text('not this')),
        ask('TestClass_GetValue', varint(9999)),
      );
      expect([error?.description, results]).to.deep.equal(['Error receiving message\nInstance not found', []]);
      expect(await textOf('get_StringProperty')).not.to.equal('not this');
    });

    it('has enumerations', async () => {
      expect(await intOf('EnumReturn')).to.equal(1);
      for (const value of [0, 1, 2]) expect(await intOf('EnumEcho', zigzag(value))).to.equal(value);
      expect(await intOf('EnumDefaultArg')).to.equal(2);
      expect(await intOf('EnumDefaultArg', zigzag(0))).to.equal(0);
    });

    it('takes and gives collections, empty and nested ones too', async () => {
      const ints = (bytes: Uint8Array): number[] => readItems(bytes).map(unzigzag);
      const all = (...values: number[]): Buffer => items(...values.map(zigzag));
      expect(ints(await client.call(ask('IncrementList', all())))).to.deep.equal([]);
      expect(ints(await client.call(ask('IncrementList', all(0, 1, 2))))).to.deep.equal([1, 2, 3]);
      expect(ints(await client.call(ask('IncrementSet', all(0, 1, 2))))).to.deep.equal([1, 2, 3]);
      expect(ints(await client.call(ask('IncrementTuple', all(1, 2))))).to.deep.equal([2, 3]);
      const counts = dictionary([text('a'), zigzag(0)], [text('b'), zigzag(1)]);
      const counted = readDictionary(await client.call(ask('IncrementDictionary', counts)));
      expect(counted.map(([key, value]) => [readText(key), unzigzag(value)])).to.deep.equal([
        ['a', 1],
        ['b', 2],
      ]);
      const nested = dictionary([text('a'), all(0, 1)], [text('b'), all()], [text('c'), all(2)]);
      const given = readDictionary(await client.call(ask('IncrementNestedCollection', nested)));
      expect(given.map(([key, value]) => [readText(key), ints(value)])).to.deep.equal([
        ['a', [1, 2]],
        ['b', []],
        ['c', [3]],
      ]);
      const [first, second] = readItems(await client.call(ask('TupleDefault'))) as [Buffer, Buffer];
      expect([unzigzag(first), readBool(second)]).to.deep.equal([1, false]);
      expect(ints(await client.call(ask('ListDefault')))).to.deep.equal([1, 2, 3]);
      expect(ints(await client.call(ask('SetDefault')))).to.deep.equal([1, 2, 3]);
      const held = readDictionary(await client.call(ask('DictionaryDefault')));
      expect(held.map(([key, value]) => [unzigzag(key), readBool(value)])).to.deep.equal([
        [1, false],
        [2, true],
      ]);
      const one = await client.call(ask('AddToObjectList', items(), text('first')));
      const two = readItems(await client.call(ask('AddToObjectList', one, text('second'))));
      const names = await Promise.all([textOf('TestClass_GetValue', two[0]), textOf('TestClass_GetValue', two[1])]);
      expect(names).to.deep.equal(['value=first', 'value=second']);
    });

    it('takes a tick for each step of a procedure that blocks', async () => {
      expect(await intOf('BlockingProcedure', zigzag(0), zigzag(0))).to.equal(0);
      expect(await intOf('BlockingProcedure', zigzag(1), zigzag(0))).to.equal(1);
      expect(await intOf('BlockingProcedure', zigzag(2))).to.equal(3);
      expect(await intOf('BlockingProcedure', zigzag(42))).to.equal(903);
    });

    it('counts the calls of each client', async () => {
      const other = await served.client(kind);
      const counts = [await intOf('Counter', text(kind)), await intOf('Counter', text(kind))];
      expect(counts).to.deep.equal([1, 2]);
      expect(unzigzag(await other.call(ask('Counter', text(kind))))).to.equal(1);
      expect(await intOf('Counter', text(kind), zigzag(3))).to.equal(1);
      other.close();
    });

    const declared: readonly [
      procedure: string,
      given: Uint8Array[],
      service: string,
      exception: string,
      says: RegExp,
    ][] = [
      ['ThrowInvalidOperationException', [], 'KRPC', 'InvalidOperationException', /^Invalid operation/],
      ['ThrowArgumentException', [], 'KRPC', 'ArgumentException', /^Invalid argument/],
      ['ThrowArgumentNullException', [text('')], 'KRPC', 'ArgumentNullException', /^Value cannot be null\..*foo/],
      [
        'ThrowArgumentOutOfRangeException',
        [zigzag(0)],
        'KRPC',
        'ArgumentOutOfRangeException',
        /^Specified argument was out of the range of valid values\..*foo/,
      ],
      ['ThrowCustomException', [], S, 'CustomException', /^A custom kRPC exception$/],
    ];
    for (const [procedure, given, service, exception, says] of declared) {
      it(`tells ${service}.${exception}, and where it was thrown`, async () => {
        const error: KrpcError = await client.failure(ask(procedure, ...given));
        expect([error.service, error.exception]).to.deep.equal([service, exception]);
        expect(error.description).to.match(says);
        expect(error.stackTrace).to.include(procedure);
      });
    }

    for (const [what, exception] of [
      ['InvalidOperationException', 'InvalidOperationException'],
      ['CustomException', 'CustomException'],
    ]) {
      it(`streams until ${what} is thrown, tells it, and ends the stream`, async () => {
        await client.call(ask(`Reset${what}Later`));
        expect(await intOf(`Throw${what}Later`)).to.equal(0);
        const id = await client.addStream(ask(`Throw${what}Later`));
        expect(unzigzag((await client.until(id)).value)).to.equal(0);
        const { error } = await client.until(id, (result) => result.error !== undefined);
        expect(error?.name).to.equal(exception);
        const ended = await client.failure(call('KRPC', 'StartStream', varint(id)));
        expect(ended.message).to.equal('Stream does not exist with this id');
      });
    }

    it('has events on timers: nothing, then true each time, then no more', async () => {
      const id = readEvent(await client.call(ask('OnTimer', varint(50), varint(3))));
      await client.call(call('KRPC', 'StartStream', varint(id)));
      for (let k = 0; k < 3; k++) expect(readBool((await client.until(id)).value)).to.equal(true);
      expect((await client.failure(call('KRPC', 'StartStream', varint(id)))).message).to.include('does not exist');
      const lambda = readEvent(await client.call(ask('OnTimerUsingLambda', varint(50))));
      await client.call(call('KRPC', 'StartStream', varint(lambda)));
      expect(readBool((await client.until(lambda)).value)).to.equal(true);
    });

    it('has what is deprecated, and says what to use instead', async () => {
      expect(await textOf('DeprecatedProcedure', float(1.5))).to.equal('1.5');
      expect(await textOf('DeprecatedProcedureNoMessage', float(1.5))).to.equal('1.5');
      await client.call(ask('set_DeprecatedProperty', text('old')));
      expect(await textOf('get_DeprecatedProperty')).to.equal('old');
      const service = readServices(await client.call(call('KRPC', 'GetServices'))).find(({ name }) => name === S);
      // Nothing gives an object of this class.
      expect((await client.failure(ask('DeprecatedClass_DeprecatedMethod', NULL))).message).to.match(
        /^Incorrect argument type for parameter this in /,
      );
      const found = service?.procedures.find(({ name }) => name === 'DeprecatedProcedure');
      expect([found?.deprecated, found?.deprecatedReason]).to.deep.equal([true, 'Use FloatToString instead.']);
      expect(service?.classes.map(({ name, deprecated }) => [name, deprecated])).to.deep.equal([
        ['TestClass', false],
        ['DeprecatedClass', true],
      ]);
      expect(
        service?.enumerations.map(({ name, deprecated, values }) => [name, deprecated, values.length]),
      ).to.deep.equal([
        ['TestEnum', false, 3],
        ['DeprecatedEnum', true, 2],
      ]);
      expect(service?.exceptions.map(({ name }) => name)).to.deep.equal(['CustomException', 'DeprecatedException']);
    });

    it('is called by numbers as by names', async () => {
      expect(readText(await client.call(call(9999, 1, float(1.5))))).to.equal('1.5');
      expect(readVarint(await client.call(call(1, 1))).value).to.equal(16n);
      expect((await client.failure(call(77, 1))).message).to.equal('Service with id 77 not found');
      expect((await client.failure(call(9999, 9999))).message).to.equal(
        'Procedure with id 9999 not found, in service "TestService"',
      );
    });
  });
}
