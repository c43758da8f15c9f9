// A reader that gets only some of the frames of its subscription, by a pace of its protocol's.
import type { Frame } from '../../model/frame/reader.js';
import { MessageReader } from './message-reader.js';

export interface Pace {
  /** Whether a frame is offered to the client. */
  takes(frame: Frame): boolean;
}

export class PacedReader extends MessageReader {
  constructor(
    private readonly pace: Pace,
    ...ofReader: ConstructorParameters<typeof MessageReader>
  ) {
    super(...ofReader);
  }

  override offer(frame: Frame): void {
    if (this.pace.takes(frame)) super.offer(frame);
  }
}
