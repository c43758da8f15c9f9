// A reader of a subscription that only calls a function.
import type { Reader } from '../../serving/session/reader.js';

const nothing = (): undefined => undefined;

export const readerOf = (offer: () => void): Reader => ({
  isBehind: false,
  offer,
  miss: nothing,
  setPaused: nothing,
  countFrom: nothing,
  release: nothing,
  end: nothing,
});
