// All error classes that a program can get; docs/embedding.md says when each is thrown.
export { JobError } from './executive/jobs.js';
export { NoAnswerError, RequestError } from './executive/request.js';
export { AssignmentError } from './model/assign.js';
export { MisfitError } from './model/misfit.js';
export { TooManyPointersError } from './model/reach.js';
export { OverBoundError } from './scheduling/account.js';
export {
  UnknownSubscriptionError,
  UnknownVariableError,
  WriteOnlyError,
} from './session/errors.js';
export { BodyAbortedError, BodyCrowdedOutError, BodyTooLargeError } from './transport/http-body.js';
export { ListenError } from './transport/listen-error.js';
export { UnitsError } from './units/units-error.js';
