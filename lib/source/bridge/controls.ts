// What clients ask of a simulation elsewhere besides values, in the functions that Trick has for it.
import { type Control, RequestError, type ServerControl } from '../../simulation/executive/request.js';
import type { TrickEnd } from './trick-end.js';

/** Resolves when the simulation has taken it. Rejects with one sentence. */
export function control(end: TrickEnd, asked: Control | ServerControl): Promise<unknown> {
  switch (asked.action) {
    case 'run':
      return end.run();
    case 'step':
      return end.step(asked.frames);
    case 'freeze':
      return asked.atSeconds === undefined ? end.freeze() : end.call('freeze', asked.atSeconds);
    case 'stop':
      return asked.atSeconds === undefined ? end.call('stop') : end.call('stop', asked.atSeconds);
    case 'terminate':
      return end.call('stop');
    case 'clock-ratio':
      return end.call('real_time_set_rt_clock_ratio', asked.ratio);
    case 'real-time':
      return end.call(asked.enabled ? 'real_time_enable' : 'real_time_disable');
    case 'software-frame':
      return end.call('exec_set_software_frame', asked.seconds);
    case 'freeze-frame':
      return end.call('exec_set_freeze_frame', asked.seconds);
    default:
      throw new RequestError(`a bridge has no way to tell the simulation ${asked.action}`);
  }
}

/** Whether the simulation may be gone when it has taken it. */
export const isLast = ({ action }: Control | ServerControl): boolean => action === 'stop' || action === 'terminate';
