// What evaluates conditions of events on the simulation's thread.

import { compileCondition } from '../../protocols/trick/script/conditions-here.js';
import type { Compile } from '../../simulation/executive/conditions.js';

export const COMPILE: Compile = compileCondition;
