// Recordings of a simulation elsewhere: its input file makes them, and clients switch them.
import type { Value } from '../../model/state/read.js';
import { type Request, RequestError } from '../../simulation/executive/request.js';
import type { Bridged } from './bridged.js';
import type { TrickEnd } from './trick-end.js';

type RecordControl = Extract<Request, { kind: 'record' }>['control'];

/** Resolves when the simulation has taken it; of a list, to that. Rejects with one sentence. */
export async function record(bridge: Bridged, control: RecordControl): Promise<Value | undefined> {
  const end = bridge.connected();
  switch (control.action) {
    case 'enable':
    case 'disable': {
      const { action, group } = control;
      await (group === undefined ? end.call(`dr_${action}`) : end.call(`dr_${action}_group`, group));
      return undefined;
    }
    case 'now':
      if (control.group === undefined) throw new RequestError('a bridge records single groups of its simulation');
      await end.call('dr_record_now_group', control.group);
      return undefined;
    case 'change':
      return change(end, control);
    case 'list':
      return (await bridge.recordings.get(() => end.recordings())).map(({ kind, name }) => `${kind} ${name}`);
    case 'list ended':
      return [];
    default:
      throw new RequestError('a bridge makes and ends no recordings of its simulation');
  }
}

/** Trick: set_max_size_record_group, dr_set_max_file_size */
async function change(
  end: TrickEnd,
  { group, options: { maxFileBytes, ...others } }: Extract<RecordControl, { action: 'change' }>,
): Promise<undefined> {
  if (maxFileBytes === undefined || Object.keys(others).length > 0)
    throw new RequestError('of a recording of its simulation, a bridge sets only the largest size of the file');
  // Trick: 0 for no limit
  const bytes = maxFileBytes === Number.MAX_SAFE_INTEGER ? 0 : maxFileBytes;
  if (group === undefined) await end.call('dr_set_max_file_size', bytes);
  else await end.call('set_max_size_record_group', group, bytes);
}
