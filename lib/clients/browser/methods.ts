// All methods of a server, with the types of their parameters and results.
import type { SimMethods } from './sim-methods.js';
import type { ToolMethods } from './tool-methods.js';
import type { VarMethods } from './var-methods.js';

/** Parameters and result of each method, by its name. */
export interface Methods extends VarMethods, SimMethods, ToolMethods {}

/** A method's parameters, which may be left out when none of them is needed. */
export type ParamsOf<Name extends keyof Methods> =
  Record<never, never> extends Methods[Name]['params']
    ? readonly [params?: Methods[Name]['params']]
    : readonly [params: Methods[Name]['params']];
