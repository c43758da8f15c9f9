// Every error class that a program can meet, in one place; docs/embedding.md says when each comes.
export { JobError } from './executive/jobs.js';
export { AssignmentError } from './model/assign.js';
export { OverBoundError } from './session/account.js';
export {
  TooManySubscriptionsError,
  UnknownSubscriptionError,
  UnknownVariableError,
  WriteOnlyError,
} from './session/errors.js';
export { RequestError } from './source/source.js';
export { ListenError } from './transport/listen-error.js';
export { UnitsError } from './units/index.js';
