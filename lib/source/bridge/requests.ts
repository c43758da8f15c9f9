// What clients ask of a simulation elsewhere: each request is done there, and answered when frames show it.
import type { Value } from '../../model/state/read.js';
import { type Request, RequestError } from '../../simulation/executive/request.js';
import type { Bridged } from './bridged.js';
import { control, isLast } from './controls.js';
import { callMethod } from './methods.js';
import { COUNTERS } from './moment.js';
import { record } from './recordings.js';
import { settingsOf } from './settings.js';
import type { TrickEnd } from './trick-end.js';

/** Undefined for what the bridge does itself. Rejects with one sentence. */
export function carryOut(bridge: Bridged, request: Request): Promise<Value | undefined> | undefined {
  switch (request.kind) {
    case 'write':
      return bridge.writes.write(settingsOf(bridge.catalog, request.writes)).then(() => undefined);
    case 'control':
      return pass(bridge, (end) => control(end, request.control), isLast(request.control));
    case 'checkpoint':
      return checkpoint(bridge, request);
    case 'load-checkpoint':
      return pass(bridge, (end) => end.load(request.file));
    case 'call':
      return callMethod(bridge, request.name, request.values);
    case 'record':
      return record(bridge, request.control);
    case 'job':
    case 'call-job':
      throw new RequestError('a bridge does not reach the jobs of its simulation');
    default:
      return undefined;
  }
}

async function pass(bridge: Bridged, act: (end: TrickEnd) => Promise<unknown>, isLast = false): Promise<undefined> {
  const end = bridge.connected();
  try {
    await act(end);
  } catch (error) {
    const isThere = await end.get(COUNTERS).catch(() => undefined);
    if (!isLast || isThere) throw error;
  }
  if (!isLast) await bridge.settled(end);
}

async function checkpoint(
  bridge: Bridged,
  { file, objects, isText }: Extract<Request, { kind: 'checkpoint' }>,
): Promise<Value> {
  if (objects || isText) throw new RequestError('a bridge has the whole simulation written, to a file of its own');
  const seconds = bridge.moment.timeSeconds;
  const name = file === '' ? `chkpnt_${seconds.toFixed(6)}` : file;
  await pass(bridge, (end) => end.checkpoint(name));
  return { file: name, seconds };
}
