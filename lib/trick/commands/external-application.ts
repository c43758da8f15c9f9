// Programs that an input file would start, and threads that it would set up: their methods are accepted without effect.
import { sayOnce } from './accepted-commands.js';
import { type Command, command } from './command.js';
import { PassiveObject } from './passive-object.js';

/** Trick: ExternalApplication.hh and what derives from it */
const PROGRAMS = [
  'SimControlPanel',
  'TrickView',
  'ExternalApplication',
  'MonteMonitor',
  'MalfunctionsTrickView',
] as const;

const ONE_THREAD = 'all jobs run on one thread';

export const applicationCommands: readonly Command[] = [
  ...PROGRAMS.map((name) =>
    command(
      name,
      [],
      'Stands for a program that Trick would start; it takes whatever it is told, and is not started.',
      (context) => {
        sayOnce(context, `trick.${name} is taken and does nothing: no program is started from here`);
        return new PassiveObject(name);
      },
    ),
  ),
  command(
    'exec_get_thread',
    [{ name: 'thread_id', type: 'integer' }],
    `Stands for a thread; it takes whatever it is told: ${ONE_THREAD}.`,
    (context) => {
      sayOnce(context, `trick.exec_get_thread is taken, and what it is told does nothing: ${ONE_THREAD}`);
      return new PassiveObject('Threads', ['trigger_container']);
    },
  ),
];
