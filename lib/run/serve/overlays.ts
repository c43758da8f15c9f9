// What front-ends add to the objects of every source, in this order.

import { transforms } from '../../protocols/brp/transforms.js';
import { trickVariables } from '../../protocols/trick/catalog/trick-variables.js';
import { compileCondition } from '../../protocols/trick/script/conditions-here.js';
import type { Compile } from '../../simulation/executive/conditions.js';
import type { Overlay } from '../../simulation/executive/overlay.js';

export const OVERLAYS: readonly Overlay[] = [transforms, trickVariables];

/** What evaluates conditions of events on the simulation's thread. */
export const COMPILE: Compile = compileCondition;
