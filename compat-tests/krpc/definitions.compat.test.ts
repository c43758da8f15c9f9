// `varwire krpc-definitions`: what kRPC's generator reads is what a server tells its clients.
import { expect } from 'chai';
import { commandHere } from '../command-here.js';
import { ServerHere } from '../launch.js';
import { call, KrpcClient, readServices } from './client.js';

/** kRPC: Type.TypeCode, by the names that generators look up. */
const CODES: Readonly<Record<number, string>> = {
  1: 'DOUBLE',
  2: 'FLOAT',
  3: 'SINT32',
  4: 'SINT64',
  5: 'UINT32',
  6: 'UINT64',
  7: 'BOOL',
  8: 'STRING',
  9: 'BYTES',
  100: 'CLASS',
  101: 'ENUMERATION',
  200: 'EVENT',
  201: 'PROCEDURE_CALL',
  202: 'STREAM',
  203: 'STATUS',
  204: 'SERVICES',
  300: 'TUPLE',
  301: 'LIST',
  302: 'SET',
  303: 'DICTIONARY',
};

type Services = ReturnType<typeof readServices>;
type Type = NonNullable<Services[number]['procedures'][number]['returnType']>;

const typeOf = ({ code, service, name, types }: Type): object => ({
  code: CODES[code],
  ...(service && { service, name }),
  ...(types.length > 0 && { types: types.map(typeOf) }),
});

/** The services that a server tells, in the form of the file. */
const written = (services: Services): object =>
  Object.fromEntries(
    services.map(({ name, documentation, procedures, classes, enumerations, exceptions }, index) => [
      name,
      {
        id: index + 1,
        documentation,
        procedures: Object.fromEntries(
          procedures.map((one, number) => [
            one.name,
            {
              id: number + 1,
              parameters: one.parameters.map((parameter) => ({
                name: parameter.name,
                type: typeOf(parameter.type as Type),
                ...(parameter.hasDefaultValue && {
                  default_value: Buffer.from(parameter.defaultValue).toString('base64'),
                }),
                ...(parameter.nullable && { nullable: true }),
              })),
              ...(one.returnType && {
                return_type: typeOf(one.returnType),
                return_is_nullable: one.returnIsNullable,
              }),
              documentation: one.documentation,
              ...(one.deprecated && { deprecated: true, deprecated_reason: one.deprecatedReason }),
            },
          ]),
        ),
        classes: Object.fromEntries(classes.map((one) => [one.name, { documentation: one.documentation }])),
        enumerations: Object.fromEntries(
          enumerations.map((one) => [
            one.name,
            {
              documentation: one.documentation,
              values: one.values.map((value) => ({
                name: value.name,
                value: value.value,
                documentation: value.documentation,
              })),
            },
          ]),
        ),
        exceptions: Object.fromEntries(exceptions.map((one) => [one.name, { documentation: one.documentation }])),
      },
    ]),
  );

describe('varwire krpc-definitions', () => {
  for (const file of ['build/sims/lander.js', 'build/compat-tests/krpc/plant.js']) {
    it(`writes the services of ${file}`, async () => {
      const { code, output, complaint } = await commandHere(['krpc-definitions', file]);
      expect([code, complaint]).to.deep.equal([0, '']);
      const server = await ServerHere.start(file.replace('build/', ''), { options: ['--no-discovery', '--krpc', '0'] });
      const client = await KrpcClient.tcp(server.krpcPorts);
      const services = readServices(await client.call(call('KRPC', 'GetServices')));
      client.close();
      await server.stop();
      // The simulation's number is 3, behind KRPC and VarServer.
      expect(JSON.parse(output)).to.deep.equal(written(services));
    });
  }

  it('refuses what is no simulation, with one sentence', async () => {
    for (const [args, sentence] of [
      [[], 'varwire krpc-definitions takes one simulation file'],
      [['a', 'b'], 'varwire krpc-definitions takes one simulation file'],
      [['sims/nope'], 'there is no simulation sims/nope'],
      [['sims/ball', '--cpp'], /Unknown option '--cpp'; varwire krpc-definitions --help lists the options/],
    ] as const) {
      const { code, output, complaint } = await commandHere(['krpc-definitions', ...args]);
      expect([code, output]).to.deep.equal([2, '']);
      expect(complaint.trim()).to.match(typeof sentence === 'string' ? new RegExp(`^varwire: ${sentence}$`) : sentence);
    }
  });
});
