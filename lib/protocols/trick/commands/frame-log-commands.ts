// Commands on the log of job times. Trick: framelog_proto.h
import { answeringZero, type Command, command } from './command.js';

export const frameLogCommands: readonly Command[] = answeringZero([
  command(
    'frame_log_on',
    [{ name: 'buffer_type', type: 'value', standard: null }],
    'Writes how long each job takes in each frame to files of the run directory.',
    ({ submit }) => submit({ kind: 'frame-log', isOn: true }),
  ),
  command('frame_log_off', [], 'Logs job times no more, until they are switched on again.', ({ submit }) =>
    submit({ kind: 'frame-log', isOn: false }),
  ),
  command(
    'frame_log_set_max_samples',
    [{ name: 'num', type: 'integer' }],
    'Sets how many runs of jobs are logged, 100,000 at the start.',
    ({ submit }, [samples]) => submit({ kind: 'frame-log', mostSamples: Number(samples) }),
  ),
]);
