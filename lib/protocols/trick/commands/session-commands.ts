// Commands on how a session sends. Trick: VariableServerSession_commands.cpp
import { refusalOf } from '../../../source/source.js';
import { answeringZero, type Command, command } from './command.js';

const onOff = { name: 'on_off', type: 'boolean' } as const;
const mode = { name: 'mode', type: 'integer' } as const;
/** Trick: VS_COPY_SCHEDULED */
const COPY_AT_EXACT_TIMES = 1;

/** A mode from 0 to `highest`; complains and returns undefined for any other number. */
function choose(
  name: string,
  value: bigint,
  highest: number,
  complain: (sentence: string) => void,
): number | undefined {
  if (value >= 0n && value <= BigInt(highest)) return Number(value);
  complain(`${name} takes a whole number from 0 to ${highest}, not ${value}`);
  return undefined;
}

const cadenceCommands: readonly Command[] = [
  command(
    'var_cycle',
    [{ name: 'in_rate', type: 'seconds' }],
    'Sets the seconds between cyclic messages; 0 sends as fast as the server can.',
    ({ session, complain }, [seconds]) => {
      if (seconds >= 0 && seconds < 1e9) session.setCycle(seconds);
      else complain(`var_cycle takes seconds from 0 up, not ${seconds}`);
    },
  ),
  command('var_pause', [], 'Stops cyclic messages; all else is answered as before.', ({ session }) =>
    session.cadence.pause(),
  ),
  command('var_unpause', [], 'Lets cyclic messages go on.', ({ session }) => session.cadence.unpause()),
  command(
    'var_set_copy_mode',
    [mode],
    'When values are copied: 0 by wall time, 1 at exact multiples of the cycle in simulation time, 2 at the top of frames.',
    ({ session, complain }, [value]) => {
      const chosen = choose('var_set_copy_mode', value, 2, complain);
      const problem = chosen === COPY_AT_EXACT_TIMES ? refusalOf(session.client.source, 'schedule') : undefined;
      if (problem) complain(problem.message);
      else if (chosen !== undefined) session.cadence.setCopyMode(chosen);
    },
  ),
  command(
    'var_set_write_mode',
    [mode],
    "When copies are sent: 0 from the session's own cycle, 1 as soon as they are made.",
    ({ session, complain }, [value]) => {
      const chosen = choose('var_set_write_mode', value, 1, complain);
      if (chosen !== undefined) session.cadence.setWriteMode(chosen);
    },
  ),
  command(
    'var_sync',
    [mode],
    'Sets copy and write mode together: 0 both by wall time, 1 exact copies sent by wall time, 2 exact copies sent at once.',
    ({ session, complain }, [value]) => {
      const chosen = choose('var_sync', value, 2, complain);
      if (chosen === undefined) return;
      session.cadence.setCopyMode(chosen === 0 ? 0 : 1);
      session.cadence.setWriteMode(chosen === 2 ? 1 : 0);
    },
  ),
];

/** The four commands that pick frames for copy mode 2. */
function frameCommand(
  name: string,
  key: 'multiple' | 'offset' | 'freezeMultiple' | 'freezeOffset',
  about: string,
): Command {
  const least = key === 'multiple' || key === 'freezeMultiple' ? 1 : 0;
  return command(name, [{ name: 'mult', type: 'integer' }], about, ({ session, complain }, [value]) => {
    if (value >= BigInt(least) && value < 2n ** 31n) session.cadence.setFrames({ [key]: Number(value) });
    else complain(`${name} takes a whole number from ${least} up, not ${value}`);
  });
}

const formatCommands: readonly Command[] = [
  command('var_ascii', [], 'Sends text.', ({ session }) => session.setFormat({ form: 'ascii' })),
  command('var_binary', [], 'Sends binary messages.', ({ session }) => session.setFormat({ form: 'binary' })),
  command('var_binary_nonames', [], 'Sends binary messages without names.', ({ session }) =>
    session.setFormat({ form: 'binary', withNames: false }),
  ),
  command('var_byteswap', [onOff], 'Sends binary messages big-endian.', ({ session }, [isOn]) =>
    session.setFormat({ isByteSwapped: isOn }),
  ),
];

export const sessionCommands: readonly Command[] = answeringZero([
  ...cadenceCommands,
  frameCommand('var_set_frame_multiple', 'multiple', 'Copy mode 2: every how many software frames.'),
  frameCommand('var_set_frame_offset', 'offset', 'Copy mode 2: which of those frames.'),
  frameCommand(
    'var_set_freeze_frame_multiple',
    'freezeMultiple',
    'Copy mode 2 while frozen: every how many freeze frames.',
  ),
  frameCommand('var_set_freeze_frame_offset', 'freezeOffset', 'Copy mode 2 while frozen: which of those frames.'),
  ...formatCommands,
  command(
    'var_set_client_tag',
    [{ name: 'text', type: 'text' }],
    'Names this client, for logs and lists.',
    ({ session }, [text]) => session.setTag(text),
  ),
  command(
    'var_set_send_stdio',
    [onOff],
    'Sends what blocks print, and their errors, to this client.',
    ({ session }, [isOn]) => session.stdio.redirect(isOn),
  ),
  command(
    'var_debug',
    [{ name: 'level', type: 'integer' }],
    'How much of this session is logged: 0 to 3.',
    ({ session, complain }, [value]) => {
      const chosen = choose('var_debug', value, 3, complain);
      if (chosen !== undefined) session.debugLevel = chosen;
    },
  ),
  command(
    'var_validate_address',
    [onOff],
    'Accepted for compatibility: addresses are always valid here.',
    ({ session }, [isOn]) => {
      session.isValidatingAddresses = isOn;
    },
  ),
  command('var_server_session_log_on', [], 'Logs what this session sends and asks.', ({ session }) =>
    session.setLog(true),
  ),
  command('var_server_session_log_off', [], 'Stops logging this session.', ({ session }) => session.setLog(false)),
  command(
    'var_write_stdio',
    [
      { name: 'stream', type: 'integer' },
      { name: 'text', type: 'text' },
    ],
    'Writes a text to this session: 1 as if it were printed, 2 as an error.',
    ({ session, complain, spendOutput }, [stream, text]) => {
      if (stream !== 1n && stream !== 2n) return complain(`var_write_stdio takes stream 1 or 2, not ${stream}`);
      spendOutput(text.length);
      session.stdio.write(stream === 1n ? 'stdout' : 'stderr', text);
    },
  ),
  command('var_exit', [], 'Closes this session.', ({ session }) => session.exit()),
]);
