// var/wait: waiting for a condition.

import { z } from 'zod';
import { Lease } from '../../model/frame/lease.js';
import type { Frame } from '../../model/frame/reader.js';
import type { CallContext } from './call-context.js';
import { comparison, createComparison } from './comparison.js';
import { firstAnswer } from './frame-wait.js';
import { toJson } from './json-value.js';
import { defineMethod } from './method.js';
import { readOnce } from './reading.js';
import { RpcCode, RpcError } from './rpc-error.js';
import { jsonValue, simTime } from './schemas.js';
import { simTimeOf } from './sim-time.js';

const MAX_WAIT_MILLIS = 600_000;
const DEFAULT_WAIT_MILLIS = 10_000;

export const wait = defineMethod({
  name: 'var/wait',
  about:
    'Answers at the first frame, the latest included, in which a comparison holds; error -23417 when time runs out.',
  params: z.strictObject({
    condition: comparison,
    timeout_ms: z
      .number()
      .min(0)
      .max(MAX_WAIT_MILLIS)
      .default(DEFAULT_WAIT_MILLIS)
      .describe('Milliseconds of wall time'),
  }),
  result: z.object({ frame: z.int(), sim_time: simTime, value: jsonValue }),
  examples: [
    {
      name: 'as text',
      params: { condition: 'ball.position[1] < 20', timeout_ms: 1000 },
      result: { frame: 124, sim_time: { sec_si: 1.23, label: 'sim_elapsed' }, value: 9.1 },
    },
    {
      name: 'as an object, with units',
      params: { condition: { alias: 'ball.position[1]', op: '>', value: 900, units: 'cm' } },
      result: { frame: 124, sim_time: { sec_si: 1.23, label: 'sim_elapsed' }, value: 910 },
    },
  ],
  run: async (context: CallContext, params) => {
    const { source } = context;
    const condition = createComparison(source, params.condition);
    const { reference, holdsIn } = condition;
    const answer = (frame: Frame) => ({
      frame: frame.header.number,
      sim_time: simTimeOf(source, frame),
      value: toJson(reference.read(frame)),
    });
    const first = await readOnce(context, [reference], (frame) => ({
      answer: holdsIn(frame) ? answer(frame) : undefined,
    }));
    if (first.answer) return first.answer;
    const lease = new Lease();
    context.account.take('parked');
    try {
      return await firstAnswer(context, {
        looks: [(frame) => (lease.ask([reference], frame) && holdsIn(frame) ? answer(frame) : undefined)],
        seen: source.frame.header.number,
        timeoutMillis: params.timeout_ms,
        late: () => {
          throw giveUp(`the condition did not hold within ${params.timeout_ms} ms`);
        },
        ended: (reason) => giveUp(`the simulation ended before the condition held: ${reason}`),
        failed: (sentence) => giveUp(`the condition could not be looked at: ${sentence}`),
      });
    } finally {
      context.account.give('parked');
      lease.end();
    }
  },
});

const giveUp = (sentence: string): RpcError => new RpcError(RpcCode.timedOut, sentence);
