// The state of a running simulation, which says what it looks at and what it removes.
import { State } from '../../model/state/state.js';
import type { DeclaredUnits } from './declared-units.js';

interface Run {
  readonly units: DeclaredUnits;
  say(text: string, level: 'warning'): void;
}

export const runningState = (run: Run): State =>
  new State(
    (path, member) => run.units.look(path, member),
    (sentence) => run.say(sentence, 'warning'),
  );
