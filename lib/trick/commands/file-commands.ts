// Commands that send whole files. Trick: send_file, Sie::send_sie_resource
import type { Run, ScriptValue } from '../interpreter/values.js';
import type { TrickSession } from '../session/trick-session.js';
import { type SieChapter, sieFileInPieces } from '../wire/sie.js';
import { type Command, command, HEADER_ONLY } from './command.js';

const sieCommand = (name: string, about: string, chapters?: readonly SieChapter[]): Command =>
  command(name, [], about, ({ session }) => sendSie(session, chapters), { reads: HEADER_ONLY });

/** Gives way to others while a large file is made. */
function* sendSie(session: TrickSession, chapters: readonly SieChapter[] | undefined): Run<ScriptValue> {
  const pieces = sieFileInPieces(session.catalog, chapters);
  for (;;) {
    const step = pieces.next();
    if (step.done) {
      session.sendBytes(step.value);
      return null;
    }
    yield 'turn';
  }
}

/** Gives way to others while a large file is read. Trick: VariableServerSession::send_file */
function* sendFile(session: TrickSession, name: string): Run<ScriptValue> {
  const reading = session.readFile(name);
  let step = reading?.next();
  while (reading && step && !step.done) {
    yield 'turn';
    step = reading.next();
  }
  session.sendBytes(step?.value ?? undefined);
  return null;
}

export const fileCommands: readonly Command[] = [
  command(
    'send_file',
    [{ name: 'file_name', type: 'text' }],
    'Sends a file from the directory that the operator named.',
    ({ session }, [name]) => sendFile(session, name),
  ),
  sieCommand('send_sie_resource', 'Sends the resource file: what variables there are, in XML.'),
  sieCommand('send_sie_class', 'Sends the classes of the resource file.', ['classes']),
  sieCommand('send_sie_enum', 'Sends the enumerations of the resource file.', ['enumerations']),
  sieCommand('send_sie_top_level_objects', 'Sends the top-level objects of the resource file.', ['objects']),
];
