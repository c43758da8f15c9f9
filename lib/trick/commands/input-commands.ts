// Commands for input files. Trick: IPPython.hh, exec_proto.h
import { type Command, command } from './command.js';

/** Commands that many input files call and that have no effect here. */
const ACCEPTED = [
  'exec_set_enable_freeze',
  'exec_set_trap_sigfpe',
  'exec_set_trap_sigbus',
  'exec_set_trap_sigsegv',
  'exec_set_trap_sigabrt',
  'exec_set_trap_sigchld',
  'exec_set_stack_trace',
  'exec_set_attach_debugger',
  'checkpoint_pre_init',
  'checkpoint_post_init',
  'checkpoint_end',
  'TMM_reduced_checkpoint',
  'TMM_hexfloat_checkpoint',
];

export const inputCommands: readonly Command[] = [
  command(
    'add_read',
    [
      { name: 'read_time', type: 'number' },
      { name: 'read_string', type: 'text' },
    ],
    'Runs a text when simulation time comes to a time in seconds; the frame that starts there waits for it.',
    ({ addRead, complain }, [at, text]) => {
      if (!(at >= 0 && at < 1e9)) complain(`add_read takes seconds from 0 up, not ${at}`);
      else if (!addRead(at, text)) complain('too many reads wait already, this one is left out');
    },
  ),
  command(
    'exec_set_freeze_command',
    [{ name: 'on_off', type: 'boolean' }],
    'Freezes; in an input file, starts frozen.',
    ({ submit }, [isOn]) => {
      if (isOn) submit({ kind: 'control', control: { action: 'freeze' } });
    },
  ),
  command(
    'var_server_set_port',
    [{ name: 'port', type: 'integer' }],
    'Chooses the main port, in an input file; a port on the command line goes before it.',
    ({ server, complain }, [port]) => {
      if (port < 0n || port > 65535n) complain(`a port is a number from 0 to 65535, not ${port}`);
      else if (server.port !== 0) complain('the main port is open already, it stays where it is');
      else server.chosenPort = Number(port);
    },
  ),
  command(
    'var_server_set_source_address',
    [{ name: 'address', type: 'text' }],
    'Accepted for compatibility: which addresses are bound is for the operator to say.',
    () => undefined,
  ),
  ...ACCEPTED.map((name) =>
    command(name, [{ name: 'value', type: 'value', standard: true }], 'Accepted for compatibility.', () => undefined),
  ),
];
