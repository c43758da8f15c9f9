// Commands that send whole files. Trick: send_file, Sie::send_sie_resource
import { type Command, command } from './command.js';

export const fileCommands: readonly Command[] = [
  command(
    'send_file',
    [{ name: 'file_name', type: 'text' }],
    'Sends a file from the directory that the operator named.',
    ({ session }, [name]) => session.sendFile(name),
  ),
];
