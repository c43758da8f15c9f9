// The events of a simulation that runs without a server, on its own thread.

import { EventsHere } from '../../protocols/trick/front-end/events-here.js';
import type { RunningSimulation } from '../../simulation/executive/running-simulation.js';
import { SourceHere } from '../../source/source-here.js';
import { COMPILE } from './conditions.js';

/** Evaluates them from now on; to be closed at the end. @param name of the simulation. */
export function eventsHere(running: RunningSimulation, name: string): EventsHere {
  running.conditions.compile = COMPILE;
  const info = { name, clockLabel: 'sim_elapsed', directory: process.cwd(), file: name, runDirectory: '' };
  return new EventsHere(new SourceHere(running, info), (text, level) => running.say(text, level));
}
