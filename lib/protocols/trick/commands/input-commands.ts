// Commands for input files. Trick: IPPython.hh, exec_proto.h
import { answeringZero, type Command, command } from './command.js';

export const inputCommands: readonly Command[] = [
  ...answeringZero([
    command(
      'add_read',
      [
        { name: 'read_time', type: 'seconds' },
        { name: 'read_string', type: 'text' },
      ],
      'Runs a text when simulation time comes to a time in seconds; which waits for it.',
      ({ addRead, complain }, [at, text]) => {
        if (!(at >= 0 && at < 9e9)) complain(`add_read takes seconds from 0 up, not ${at}`);
        else if (!addRead(at, text)) complain('too many reads wait already, this one is left out');
      },
    ),
  ]),
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
];
