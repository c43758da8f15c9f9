// rpc.discover and brp_extras/agent_tools: which methods there are, with their schemas.
import { z } from 'zod';
import type { Method } from '../json-rpc/method.js';
import { describeMethod } from '../json-rpc/openrpc.js';
import { functionMethods, functionSchemas } from './function-methods.js';
import { type BrpContext, methodOf, operation } from './operation.js';
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
  const run = ({ source }: BrpContext): object => {
    known ??= [...methods, ...WATCHES.map(([name, watch]) => methodOf(name, watch))].map(describe);
    return {
      openrpc: '1.3.2',
      info: { title: 'Bevy Remote Protocol', version },
      methods: [...known, { name: 'rpc.discover', params: [] }, ...functionsOf(source)],
      servers: [{ name: 'Server', url: address() }],
    };
  };
  const result = z.looseObject({ openrpc: z.string() });
  const about = 'This document.';
  return methodOf('rpc.discover', operation({ about, params: z.object({}), ignoresParams: true, result, run }));
}

/** Errors are left out: they are the protocol's, and the same for all methods. */
function describe(method: Method<BrpContext>): object {
  const { errors: _, ...described } = describeMethod(method);
  return described;
}

function functionsOf(source: BrpContext['source']): object[] {
  return [...functionMethods(source)].map(([name, callable]) => {
    const { params, result } = functionSchemas(callable) as { params?: { properties: object }; result?: object };
    return {
      name,
      ...(callable.about !== '' && { summary: callable.about }),
      paramStructure: params ? 'by-name' : 'by-position',
      params: Object.entries(params?.properties ?? {}).map(([parameter, schema]) => ({
        name: parameter,
        required: true,
        schema: schema as object,
      })),
      ...(result && { result: { name: 'result', schema: result } }),
    };
  });
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
