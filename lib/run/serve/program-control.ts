// How a program runs, freezes or ends its simulation; checked, because no compiler may have checked the program.
import { didYouMean, nearestNames } from '../../model/state/suggest.js';
import { type Control, RequestError } from '../../source/source.js';

/** A word is an action that needs nothing else. */
export type ProgramControl = 'run' | 'freeze' | 'stop' | Control;

/** The members that each action needs, and their types. */
const NEEDED: Readonly<Record<Control['action'], Readonly<Record<string, 'boolean' | 'number' | 'string'>>>> = {
  run: {},
  freeze: {},
  stop: {},
  'debug-signal': {},
  step: { frames: 'number' },
  'debug-pause': { isOn: 'boolean' },
  terminate: { code: 'number', reason: 'string' },
  'real-time': { enabled: 'boolean' },
  'clock-ratio': { ratio: 'number' },
  'software-frame': { seconds: 'number' },
  'freeze-frame': { seconds: 'number' },
  seek: { toSeconds: 'number' },
};

/** The request for the simulation. Throws a RequestError for what is no control, and for one that lacks a member. */
export function controlOf(wanted: ProgramControl): Control {
  const control: object = typeof wanted === 'string' ? { action: wanted } : (wanted ?? {});
  const { action }: { readonly action?: unknown } = control;
  const name = String(action);
  if (!Object.hasOwn(NEEDED, name)) {
    const hint = didYouMean(nearestNames(name, Object.keys(NEEDED)));
    throw new RequestError(`there is no control ${name}${hint || '; there are run, freeze, stop, step and others'}`);
  }
  for (const [member, type] of Object.entries(NEEDED[name as Control['action']])) {
    if (typeof Reflect.get(control, member) !== type)
      throw new RequestError(`the control ${name} needs ${member}, a ${type}`);
  }
  return control as Control;
}
