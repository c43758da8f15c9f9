// How many requests of an HTTP connection are read ahead of an answer.
import { LIMITS } from '../../model/bounds/limits.js';

/** Requests of one connection that wait for their answers; it is read no further then. */
export const MOST_UNANSWERED = LIMITS.requestsAhead.each;
/** While so many requests of all connections wait, fewer of each do: what thousands keep is copied while it waits. */
export const MANY_UNANSWERED = 256;
export const FEW_UNANSWERED = 2;
/** How long requests may wait unread behind one that is not answered. */
export const AHEAD_MILLIS = 10_000;

/** @param isPatient whether the connection has waited long; then others do not matter. */
export const mostAhead = (waitingOfAll: number, isPatient: boolean): number =>
  isPatient || waitingOfAll < MANY_UNANSWERED ? MOST_UNANSWERED : FEW_UNANSWERED;
