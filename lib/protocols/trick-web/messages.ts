// The messages of the WebSocket, both ways. Trick: VariableServerSession of CivetServer
import { z } from 'zod';
import { LIMITS } from '../../model/bounds/limits.js';
import { formatDouble } from '../../model/state/number-text.js';

const LONGEST_NAME = 4096;
const LONGEST_BLOCK = LIMITS.blockSize.each;
/** A day. */
const LONGEST_PERIOD_MILLIS = 86_400_000;

const name = z.string().max(LONGEST_NAME);
const named = <Command extends string>(cmd: Command) => z.object({ cmd: z.literal(cmd), var_name: name });
const plain = <Command extends string>(cmd: Command) => z.object({ cmd: z.literal(cmd) });

const command = z.discriminatedUnion('cmd', [
  named('var_add'),
  named('units'),
  z.object({ cmd: z.literal('var_cycle'), period: z.coerce.number().min(0).max(LONGEST_PERIOD_MILLIS) }),
  plain('var_unpause'),
  plain('var_pause'),
  plain('var_send'),
  plain('var_clear'),
  plain('var_exit'),
  z.object({ cmd: z.literal('python'), pycode: z.string().max(LONGEST_BLOCK) }),
  plain('sie'),
]);

export type WebCommand = z.output<typeof command>;

/** Throws an Error with the text for the client. */
export function checkedCommand(json: unknown): WebCommand {
  const checked = command.safeParse(json);
  if (checked.success) return checked.data;
  const cmd = (json as { cmd?: unknown } | null)?.cmd;
  if (typeof cmd !== 'string') throw new Error('a message is an object with a text "cmd"\n');
  if (!command.options.some(({ shape }) => shape.cmd.value === cmd))
    throw new Error(`Unknown Command: "${cmd.slice(0, 100)}".\n`);
  const [issue] = checked.error.issues;
  throw new Error(`${cmd}: ${issue?.path.join('.')}: ${issue?.message.replace(/^Invalid input: /, '')}\n`);
}

/** @param values JSON texts. */
export const valuesMessage = (timeSeconds: number, values: readonly string[]): string =>
  `{ "msg_type" : "values",\n  "time" : ${formatDouble(timeSeconds)},\n  "values" : [\n${values.join(',\n')}]}\n`;

export const errorMessage = (text: string): string => `{ "msg_type" : "error",\n  "error" : ${JSON.stringify(text)}}\n`;

export const unitsMessage = (variable: string, units: string): string =>
  `{ "msg_type": "units", "var_name": ${JSON.stringify(variable)}, "data": ${JSON.stringify(units)}}`;
