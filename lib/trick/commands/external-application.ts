// Programs that an input file would start: they take whatever they are told, and none is started.
import type { ObjectValue, ScriptValue } from '../interpreter/values.js';
import { sayOnce } from './accepted-commands.js';
import { type Command, command } from './command.js';

/** Trick: ExternalApplication.hh and what derives from it */
const PROGRAMS = [
  'SimControlPanel',
  'TrickView',
  'ExternalApplication',
  'MonteMonitor',
  'MalfunctionsTrickView',
] as const;

class ExternalApplication implements ObjectValue {
  readonly kind = 'object';

  constructor(readonly typeName: string) {}

  /** Every attribute is a method without effect: what programs take is theirs to say. */
  attribute(name: string): ScriptValue {
    return { kind: 'callable', name, call: () => null };
  }

  setAttribute(): boolean {
    return true;
  }

  names(): Iterable<string> {
    return [];
  }
}

export const applicationCommands: readonly Command[] = PROGRAMS.map((name) =>
  command(
    name,
    [],
    'Stands for a program that Trick would start; it takes whatever it is told, and is not started.',
    (context) => {
      sayOnce(context, `trick.${name} is taken and does nothing: no program is started from here`);
      return new ExternalApplication(name);
    },
  ),
);
