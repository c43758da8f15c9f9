// What a client says first in a session.
import type { ConnectOptions } from './connect-options.js';
import { quote } from './python-literal.js';
import { type Form, formCommand } from './questions.js';

/** Trick reads its socket once a cycle, paused or not. */
const PAUSED_CYCLE_SECONDS = 0.01;

/** A session that sends nothing by itself, and answers soon. */
export function greeting({ tag, form }: Pick<ConnectOptions, 'tag'> & { readonly form: Form }): string {
  const commands = ['trick.var_pause()\n'];
  if (tag !== undefined) commands.push(`trick.var_set_client_tag(${quote(tag)})\n`);
  commands.push('trick.var_clear()\n', `trick.var_cycle(${PAUSED_CYCLE_SECONDS})\n`, formCommand(form));
  return commands.join('');
}
