// Commands to the variable server itself. Trick: var_server_ext.cpp

import type { Run, ScriptValue } from '../../python/index.js';
import { connectionsJson } from '../session/connections.js';
import type { PortOwner } from '../session/server-settings.js';
import { type Command, type CommandContext, command } from './command.js';
import { rule, setting } from './operators-only.js';

const cidr = { name: 'cidr', type: 'text' } as const;
const address = { name: 'address', type: 'text' } as const;
const port = { name: 'port', type: 'integer' } as const;

/** Starts to open a port; a failure becomes a complaint when it is known. */
function open({ complain, server }: CommandContext, port: bigint, start: (port: number) => Promise<void>): bigint {
  if (port < 0n || port > 65535n) {
    complain(`a port is a number from 0 to 65535, not ${port}`);
    return 1n;
  }
  start(Number(port)).then(
    () => server.log(`opened port ${port}`),
    (error: Error) => complain(error.message),
  );
  return 0n;
}

const portOwnerOf = ({ isOperators, session }: CommandContext): PortOwner | undefined =>
  isOperators ? undefined : session.client.account;

/** Characters that are printed at once: writing them takes a quarter of a millisecond. */
const PRINTED_AT_ONCE = 64 * 1024;

/** Prints what all sessions have listed, made and printed in pieces because that may be much. */
function* listConnections(context: CommandContext): Run<ScriptValue> {
  const made = connectionsJson(context.server.sessions());
  let pieces: string[] = [];
  let characters = 0;
  const print = (): void => {
    context.session.stdio.write('stdout', pieces.join(''));
    pieces = [];
    characters = 0;
  };
  let step = made.next();
  for (; !step.done; step = made.next()) {
    context.spendOutput(step.value.length);
    context.allocate(2 * step.value.length);
    pieces.push(step.value);
    characters += step.value.length;
    if (characters >= PRINTED_AT_ONCE) print();
    if (context.isTurnOver) yield 'turn';
  }
  print();
  const { sessions, names } = step.value;
  if (sessions + names > 0) {
    context.complain(
      `var_server_list_connections leaves out ${sessions} sessions, and ${names} variables of those that it shows`,
    );
  }
  return null;
}

const logSwitches: readonly Command[] = [
  ['var_server_log_on', true],
  ['var_server_log_off', false],
  ['set_var_server_info_msg_on', true],
  ['set_var_server_info_msg_off', false],
  ['set_var_server_log_on', true],
  ['set_var_server_log_off', false],
].map(([name, isOn]) =>
  command(
    name as string,
    [],
    `${isOn ? 'Logs' : 'Stops logging'} what all sessions ask; what the operator has set stays.`,
    (context) =>
      setting(context, 'log', () => {
        context.server.isLogging = isOn as boolean;
      }),
  ),
);

export const serverCommands: readonly Command[] = [
  ...logSwitches,
  command('var_server_list_connections', [], 'Prints the open sessions as JSON.', listConnections),
  command('var_server_get_port', [], 'The main port.', ({ server }) => BigInt(server.port)),
  command('var_server_get_hostname', [], 'The name of this host.', ({ server }) => server.hostname),
  command('var_server_get_user_tag', [], 'The tag shown in discovery messages.', ({ server }) => server.userTag),
  command(
    'var_server_set_user_tag',
    [{ name: 'text', type: 'text' }],
    'Sets the tag shown in discovery messages; what the operator has set stays.',
    (context, [text]) =>
      setting(context, 'user tag', () => {
        // Tabs and newlines separate the fields of the discovery message.
        context.server.userTag = text.replace(/[\t\r\n]/g, ' ').slice(0, 200);
      }),
  ),
  command(
    'var_server_set_enabled',
    [{ name: 'on_off', type: 'boolean' }],
    'Takes new sessions, or no more.',
    (context, [isOn]) =>
      rule(context, () => {
        context.server.isEnabled = isOn;
      }),
  ),
  command('var_server_get_enabled', [], 'Whether new sessions are taken, as 1 or 0.', ({ server }) =>
    BigInt(server.isEnabled),
  ),
  command('var_server_create_tcp_socket', [address, port], 'Opens one more TCP port.', (context, [host, number]) =>
    open(context, number, (at) => context.server.ports.tcp(host, at, portOwnerOf(context))),
  ),
  command(
    'var_server_create_udp_socket',
    [address, port],
    'Opens a UDP port, one session.',
    (context, [host, number]) =>
      open(context, number, (at) => context.server.ports.udp(host, at, portOwnerOf(context))),
  ),
  command(
    'var_server_create_multicast_socket',
    [{ name: 'mcast_address', type: 'text' }, address, port],
    'Joins a multicast group, one session.',
    (context, [group, host, number]) =>
      open(context, number, (at) => context.server.ports.multicast(group, host, at, portOwnerOf(context))),
  ),
  command('var_allow_connections', [], 'Takes connections again after var_disable_connections.', (context) =>
    rule(context, () => context.server.allowed.setOpen(true)),
  ),
  command('var_disable_connections', [], 'Takes no further connections.', (context) =>
    rule(context, () => context.server.allowed.setOpen(false)),
  ),
  command('var_get_allow_connections', [], 'Whether connections are taken, as 1 or 0.', ({ server }) =>
    BigInt(server.allowed.isOpen),
  ),
  command(
    'var_set_allow_connections',
    [{ name: 'on_off', type: 'boolean' }],
    'Takes connections, or no further ones.',
    (context, [isOn]) => rule(context, () => context.server.allowed.setOpen(isOn)),
  ),
  command('var_get_ip_check_bypass', [], 'Whether no address range has been added, as 1 or 0.', ({ server }) =>
    BigInt(!server.allowed.isNarrowed),
  ),
  command(
    'var_set_ip_check_bypass',
    [{ name: 'on_off', type: 'boolean' }],
    'True forgets the address ranges that were added; False leaves them as they are.',
    (context, [isOn]) => rule(context, () => isOn && context.server.allowed.forgetAdded()),
  ),
  command('var_allow_all_connections', [], 'Forgets the address ranges clients have added.', (context) =>
    rule(context, () => context.server.allowed.allowAll()),
  ),
  command(
    'var_add_ip',
    [cidr],
    'Takes connections only from this and other added address ranges.',
    (context, [range]) => rule(context, () => context.server.allowed.add(range)),
  ),
  command('var_remove_ip', [cidr], 'Takes an added address range away.', (context, [range]) =>
    rule(context, () => {
      if (!context.server.allowed.remove(range)) context.complain(`${range} was not added`);
    }),
  ),
];
