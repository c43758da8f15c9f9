// trick/run and trick/complete: Trick's command language for JSON clients.

import { z } from 'zod';
import type { CallContext } from '../../json-rpc/call-context.js';
import { defineMethod, type Method } from '../../json-rpc/method.js';
import { RpcCode, RpcError } from '../../json-rpc/rpc-error.js';
import { completions } from './completion.js';
import type { Consoles } from './consoles.js';
import { fragmentBefore } from './fragment.js';

/** As on Trick's own wire. */
const LONGEST_BLOCK = 200_000;
const MOST_ITEMS = 100;
const LOOKED_AT_ONCE = 256;

const run = (consoles: Consoles) =>
  defineMethod({
    name: 'trick/run',
    about:
      'Runs a text of the Trick command language, under the limits of a Trick session. Answers when everything that it has asked for shows. Over a WebSocket its names stay for the next text, and `_` is the last value; over HTTP each call is a session of its own.',
    params: z.strictObject({
      text: z.string().max(LONGEST_BLOCK, { error: `expected at most ${LONGEST_BLOCK} characters` }),
    }),
    result: z.object({
      ok: z.boolean().describe('Whether all of it has run, and nothing was refused'),
      output: z
        .array(z.object({ stream: z.enum(['stdout', 'stderr']), text: z.string() }))
        .describe('What it has printed, and its errors, in order'),
      value: z.string().nullable().describe('The value of a text that is one expression, as the language prints it'),
      messages: z.array(z.string()).describe('What it would have been sent on a Trick connection'),
    }),
    isChange: true,
    examples: [
      {
        name: 'an expression',
        params: { text: '2 + 3' },
        result: { ok: true, output: [], value: '5', messages: [] },
      },
      {
        name: 'what is printed and sent',
        params: { text: 'print("height")\ntrick.var_send_once("ball.position[1]")' },
        result: { ok: true, output: [{ stream: 'stdout', text: 'height\n' }], value: null, messages: ['5\t9.1'] },
      },
    ],
    run: (context: CallContext, { text }) => {
      if (text.includes('\0')) throw new RpcError(RpcCode.invalidParams, 'trick/run: text has a null character');
      return consoles.use(context, async (console) => {
        const { isDone, output, value = null, messages } = await console.run(text);
        return { ok: isDone, output: [...output], value, messages: [...messages] };
      });
    },
  });

const complete = (consoles: Consoles) =>
  defineMethod({
    name: 'trick/complete',
    about: 'What may stand at a place of a text of the Trick command language: commands, variables, events, functions.',
    params: z.strictObject({
      text: z.string().max(LONGEST_BLOCK),
      cursor: z.int().min(0).optional().describe('Characters before the place; the end of the text when left out'),
    }),
    result: z.object({
      start: z.int().describe('What an item replaces: from this character ...'),
      end: z.int().describe('... to this one'),
      items: z.array(
        z.object({
          text: z.string(),
          kind: z.enum(['command', 'variable', 'event', 'function', 'label']),
          about: z.string(),
        }),
      ),
    }),
    examples: [
      {
        name: 'a member',
        params: { text: 'print(ball.pos' },
        result: {
          start: 6,
          end: 14,
          items: [{ text: 'ball.position', kind: 'variable', about: 'centre of the ball' }],
        },
      },
    ],
    async run(context: CallContext, { text, cursor = text.length }) {
      const end = Math.min(cursor, text.length);
      const fragment = fragmentBefore(text, end);
      const items: { text: string; kind: 'command' | 'variable' | 'event' | 'function' | 'label'; about: string }[] =
        [];
      let looked = 0;
      for (const item of completions(fragment, context.source.catalog, consoles.server.events)) {
        if (looked++ % LOOKED_AT_ONCE === 0) await context.turn();
        if (item === undefined) continue;
        if (items.length === MOST_ITEMS) break;
        items.push(item);
      }
      return { start: end - fragment.length, end, items };
    },
  });

export const runMethods = (consoles: Consoles): readonly Method<CallContext>[] => [run(consoles), complete(consoles)];
