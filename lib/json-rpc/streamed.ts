// What a method gives: its result, and with some methods a stream that goes on behind it.

/** Returned by a method whose result begins a stream; the front-end starts it once the result has been sent. */
export class Streamed<Result, Stream> {
  constructor(
    readonly result: Result,
    readonly stream: Stream,
  ) {}
}

export interface Outcome<Stream> {
  readonly result: unknown;
  readonly stream?: Stream;
}

export const outcomeOf = <Stream>(returned: unknown): Outcome<Stream> =>
  returned instanceof Streamed ? returned : { result: returned };
