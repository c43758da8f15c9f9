// What front-ends add to the objects of every source, in this order.

import { transforms } from '../../protocols/brp/transforms.js';
import { trickVariables } from '../../protocols/trick/catalog/trick-variables.js';
import type { Overlay } from '../../simulation/executive/overlay.js';

export const OVERLAYS: readonly Overlay[] = [transforms, trickVariables];
