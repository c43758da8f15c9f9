// How errors of calls are sent to clients.

import { AssignmentError } from '../../../model/state/assign.js';
import { MisfitError } from '../../../model/state/misfit.js';
import { TooManyPointersError } from '../../../model/state/reach.js';
import { isThrown, thrownText } from '../../../model/state/thrown.js';
import { UnitsError } from '../../../model/units/index.js';
import { OverBoundError } from '../../../serving/scheduling/account.js';
import { UnknownVariableError, WriteOnlyError } from '../../../serving/session/errors.js';
import { RequestError } from '../../../source/source.js';
import { UnknownInstanceError } from '../values/decode.js';
import { ArgumentError } from './arguments.js';
import { ServiceError } from './procedure.js';
import { UnknownProcedureError } from './service-table.js';

/** The fields of the message Error. */
export interface Failure {
  /** The service and name of a declared exception. */
  readonly service?: string;
  readonly name?: string;
  readonly description: string;
  readonly stackTrace: string;
}

export interface FailureEvents {
  /** Called for each error. */
  readonly onError: () => void;
  /** Gets those that are no refusal, which are faults of the server or of an added service. */
  readonly onFault: (error: unknown) => void;
}

const WRONG_ARGUMENTS = [
  AssignmentError,
  MisfitError,
  UnknownVariableError,
  WriteOnlyError,
  UnitsError,
  UnknownInstanceError,
];
const NOT_NOW = [RequestError, OverBoundError, TooManyPointersError];

/**
 * The message for an error of a call.
 * @param where the procedure; clients are told no more of the server's stack.
 */
export function failureOf(error: unknown, where: string, { onError, onFault }: FailureEvents): Failure {
  onError();
  const description = thrownText(error);
  const told = { description, stackTrace: `  at ${where}` };
  if (isThrown(error, ServiceError)) return { service: error.service, name: error.exception, ...told };
  if (WRONG_ARGUMENTS.some((kind) => isThrown<Error>(error, kind))) return { ...builtIn('ArgumentException'), ...told };
  if (NOT_NOW.some((kind) => isThrown<Error>(error, kind))) return { ...builtIn('InvalidOperationException'), ...told };
  if (!(isThrown(error, UnknownProcedureError) || isThrown(error, ArgumentError))) onFault(error);
  return told;
}

const builtIn = (name: string) => ({ service: 'KRPC', name });
