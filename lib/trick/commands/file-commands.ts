// Commands that send whole files. Trick: send_file, Sie::send_sie_resource
import { type SieChapter, sieFile } from '../wire/sie.js';
import { type Command, command, HEADER_ONLY } from './command.js';

const sieCommand = (name: string, about: string, chapters?: readonly SieChapter[]): Command =>
  command(name, [], about, ({ session }) => session.sendBytes(sieFile(session.catalog, chapters)), {
    reads: HEADER_ONLY,
  });

export const fileCommands: readonly Command[] = [
  command(
    'send_file',
    [{ name: 'file_name', type: 'text' }],
    'Sends a file from the directory that the operator named.',
    ({ session }, [name]) => session.sendFile(name),
  ),
  sieCommand('send_sie_resource', 'Sends the resource file: what variables there are, in XML.'),
  sieCommand('send_sie_class', 'Sends the classes of the resource file.', ['classes']),
  sieCommand('send_sie_enum', 'Sends the enumerations of the resource file.', ['enumerations']),
  sieCommand('send_sie_top_level_objects', 'Sends the top-level objects of the resource file.', ['objects']),
];
