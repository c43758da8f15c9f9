// Commands that send whole files. Trick: send_file, Sie::send_sie_resource
import { Held } from '../../../serving/scheduling/held.js';
import { MAX_DATAGRAM_BYTES } from '../../../serving/transport/connection.js';
import { awaited, type Run, type ScriptValue } from '../../python/index.js';
import type { TrickSession } from '../session/trick-session.js';
import { type SieChapter, sieFile } from '../wire/sie.js';
import { type Command, command, HEADER_ONLY } from './command.js';

/** More than what stands before a file's bytes. */
const HEADER_BYTES = 64;

const canSend = ({ files }: TrickSession, bytes: number): boolean => !files.isDatagram || bytes <= MAX_DATAGRAM_BYTES;

const sieCommand = (name: string, about: string, chapters?: readonly SieChapter[]): Command =>
  command(name, [], about, ({ session }) => sendSie(session, chapters), { reads: HEADER_ONLY });

function* sendSie(session: TrickSession, chapters: readonly SieChapter[] | undefined): Run<ScriptValue> {
  session.sendBytes(yield* awaited(sieOf(session, chapters)));
  return null;
}

/**
 * The document counts as an answer that waits while it is made. One that is larger than the client may have unread, or than a
 * datagram, is answered as a file that is not there.
 */
async function sieOf(session: TrickSession, chapters?: readonly SieChapter[]): Promise<Uint8Array | undefined> {
  const held = new Held(session.client.account);
  const mayHave = (bytes: number): boolean =>
    !session.isExited && canSend(session, bytes + HEADER_BYTES) && held.trySet('unreadBytes', bytes + HEADER_BYTES);
  try {
    return await sieFile(session.catalog, { turn: session.turn, mayHave }, chapters);
  } finally {
    held.release();
  }
}

/**
 * The bytes of a file count as an answer that waits while it is read. One that no datagram can carry is answered as a file that
 * is not there, and not read. Trick: VariableServerSession::send_file
 */
function* sendFile(session: TrickSession, name: string): Run<ScriptValue> {
  const held = new Held(session.client.account);
  const take = (bytes: number): void => {
    if (!canSend(session, bytes + HEADER_BYTES)) throw new Error('no datagram is as long');
    held.set('unreadBytes', bytes + HEADER_BYTES);
  };
  const turn = async (): Promise<void> => {
    await session.turn();
    if (session.isExited) throw new Error('the client has gone');
  };
  let bytes: Uint8Array | undefined;
  try {
    const reading = session.files.readFile(name, take, turn);
    bytes = reading && (yield* awaited(reading));
  } finally {
    held.release();
  }
  session.sendBytes(bytes);
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
