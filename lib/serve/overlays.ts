// What front-ends add to the objects of every source, in this order.

import type { Compile } from '../executive/conditions.js';
import type { Overlay } from '../executive/overlay.js';
import { trickVariables } from '../trick/catalog/trick-variables.js';
import { compileCondition } from '../trick/script/conditions-here.js';

export const OVERLAYS: readonly Overlay[] = [trickVariables];

/** What evaluates conditions of events on the simulation's thread. */
export const COMPILE: Compile = compileCondition;
