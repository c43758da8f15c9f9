// When cyclic messages leave: at simulation times that are multiples of a period. Trick: WebSocketSession::setTimeInterval
import { type FrameHeader, Mode } from '../../model/frame/header.js';
import type { Frame } from '../../model/frame/reader.js';

const FIRST_PERIOD_MILLIS = 1000;

export class Pace {
  private periodMillis = FIRST_PERIOD_MILLIS;
  private nextTics = 0;
  private mode: Mode;
  private jumps: number;

  constructor(header: FrameHeader) {
    this.mode = header.mode;
    this.jumps = header.jumps;
    this.begin(header);
  }

  set(periodMillis: number, header: FrameHeader): void {
    this.periodMillis = periodMillis;
    this.begin(header);
  }

  /** Whether a message is due at a frame; asked once for each. A change of mode starts the count anew. */
  takes({ header }: Frame): boolean {
    if (header.mode !== this.mode || header.jumps !== this.jumps) {
      this.mode = header.mode;
      this.jumps = header.jumps;
      this.begin(header);
    }
    if (timeOf(header) < this.nextTics) return false;
    this.begin(header);
    return true;
  }

  private begin(header: FrameHeader): void {
    const periodTics = Math.max(1, Math.round((this.periodMillis / 1000) * header.ticsPerSecond));
    const now = timeOf(header);
    this.nextTics = now - (now % periodTics) + periodTics;
  }
}

/** In a freeze, the time spent in it counts too. */
const timeOf = ({ timeTics, freezeTimeTics, mode }: FrameHeader): number =>
  mode === Mode.freeze ? timeTics + freezeTimeTics : timeTics;
