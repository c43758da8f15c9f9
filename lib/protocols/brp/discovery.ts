// rpc.discover and brp_extras/agent_tools: which methods there are, with their schemas.
import { z } from 'zod';
import type { Type } from '../../model/state/type.js';
import type { Method } from '../json-rpc/method.js';
import { describeMethod } from '../json-rpc/openrpc.js';
import { pathOfType, segment } from './component.js';
import { functionMethods, functionSchemas } from './function-methods.js';
import { LATEST, VERSIONS } from './generation.js';
import { type BrpCall, type BrpContext, methodOf, operation } from './operation.js';
import { bevySchema } from './parameter-schema.js';
import { describedBy, describe as describeType, typeSchema } from './type-schema.js';
import { WATCHES } from './watch-methods.js';

/**
 * The method `rpc.discover` of these methods, the watches and the simulation's functions.
 * @param address where the server can be reached.
 */
export function discovery(
  methods: readonly Method<BrpContext>[],
  version: string,
  address: () => string,
): Method<BrpContext> {
  let known: readonly object[] | undefined;
  const run = ({ source, generation }: BrpCall): object => {
    known ??= [...methods, ...WATCHES.map(([name, watch]) => methodOf(name, watch))].map(describe);
    return {
      openrpc: '1.3.2',
      info: {
        title: `Bevy Remote Protocol of varwire ${version}`,
        version: VERSIONS[generation === 'proposal' ? LATEST : generation],
      },
      methods: [...known, { name: 'rpc.discover', params: [] }, ...functionsOf(source)],
      servers: [{ name: 'Server', url: address() }],
    };
  };
  const result = z.looseObject({ openrpc: z.string() });
  const about = 'This document.';
  return methodOf('rpc.discover', operation({ about, params: z.object({}), ignoresParams: true, result, run }));
}

interface Parameter {
  readonly name: string;
  readonly schema: object;
}

/** A method with its schemas in Bevy's form. Errors are left out: they are the protocol's, and the same for all methods. */
function describe(method: Method<BrpContext>): object {
  const { errors: _, ...described } = describeMethod(method);
  const { params, result } = described;
  const inBevysForm = (one: Parameter): Parameter => ({ ...one, schema: bevySchema(one.schema) });
  return { ...described, params: (params as Parameter[]).map(inBevysForm), result: inBevysForm(result as Parameter) };
}

function functionsOf(source: BrpContext['source']): object[] {
  const nameOf = (name: string): string => pathOfType(name, segment(source.info.name));
  const schemaOf = (type: Type): object => {
    const { path, shape } = describeType(type, nameOf);
    return typeSchema(path, shape());
  };
  return [...functionMethods(source)].map(([name, { about, takes, gives }]) => ({
    name,
    ...(about !== '' && { summary: about }),
    paramStructure: takes ? 'by-name' : 'by-position',
    params: (takes ?? []).map((parameter) => ({
      name: parameter.name,
      ...describedBy(parameter),
      required: true,
      schema: schemaOf(parameter.type),
    })),
    ...(gives && { result: { name: 'result', ...describedBy(gives), schema: schemaOf(gives.type) } }),
  }));
}

export const agentTools = operation({
  about: "The simulation's functions as tools, with the schemas of their parameters and results.",
  params: z.object({}),
  result: z.object({ version: z.number(), tools: z.array(z.unknown()) }),
  run: ({ source }) => ({
    version: 1,
    tools: [...functionMethods(source)].map(([method, callable]) => {
      const { params, result } = functionSchemas(callable);
      return {
        name: method.replace(/\W+/g, '_'),
        method,
        description: callable.about,
        ...(params && { params_schema: params }),
        ...(result && { result_schema: result }),
      };
    }),
  }),
});
