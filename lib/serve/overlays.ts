// What front-ends add to the objects of every source, in this order.
import type { Overlay } from '../executive/overlay.js';
import { trickVariables } from '../trick/catalog/trick-variables.js';

export const OVERLAYS: readonly Overlay[] = [trickVariables];
