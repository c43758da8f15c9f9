// A method's result together with the stream that follows it.

/**
 * A method returns it when its result begins a stream; the front-end starts the stream once the result has been sent.
 */
export class Streamed<Result, Stream> {
  constructor(
    readonly result: Result,
    readonly stream: Stream,
  ) {}
}

export interface MethodOutcome<Stream> {
  readonly result: unknown;
  readonly stream?: Stream;
}

export const outcomeOf = <Stream>(returned: unknown): MethodOutcome<Stream> =>
  returned instanceof Streamed ? returned : { result: returned };
