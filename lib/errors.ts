// All error classes that a program can get; docs/embedding.md says when most of them are thrown.

export { AssignmentError } from './model/state/assign.js';
export { MisfitError } from './model/state/misfit.js';
export { TooManyPointersError } from './model/state/reach.js';
export { UnitsError } from './model/units/units-error.js';
export { OverBoundError } from './serving/scheduling/account.js';
export {
  UnknownSubscriptionError,
  UnknownVariableError,
  WriteOnlyError,
} from './serving/session/errors.js';
export { BodyAbortedError, BodyCrowdedOutError, BodyTooLargeError } from './serving/transport/http-body.js';
export { ListenError } from './serving/transport/listen-error.js';
export { JobError } from './simulation/executive/jobs.js';
export { NoAnswerError, RequestError } from './simulation/executive/request.js';
