// Who has connected and said nothing yet: of one address, so many are listened to at once. Whoever connects often and speaks
// with many connections at the same moment would else be read for tens of milliseconds in one turn.

/** The first reading of a connection takes up to 64 KB. */
export const MOST_LISTENED_TO = 12;
/** Who has been silent for so long does not keep others of its address waiting. */
export const SILENT_MILLIS = 100;
/** While very many wait, this part of them is listened to, so that who speaks waits some seconds behind 2,000 who do not. */
const PART_OF_WAITING = 1 / 16;

/** Calls a function later; returns how to call it off. */
type After = (millis: number, call: () => void) => () => void;

const systemAfter: After = (millis, call) => {
  const timer = setTimeout(call, millis);
  timer.unref();
  return () => clearTimeout(timer);
};

/** The newcomers of one address. */
interface Newcomers {
  listenedTo: number;
  readonly waiting: Set<() => void>;
}

const hasRoom = ({ listenedTo, waiting }: Newcomers): boolean =>
  listenedTo < Math.max(MOST_LISTENED_TO, PART_OF_WAITING * waiting.size);

export class Doorway {
  private readonly byAddress = new Map<string, Newcomers>();

  constructor(private readonly after: After = systemAfter) {}

  /**
   * Calls `listen` now, or when it is the newcomer's turn.
   * @returns what to call once it has spoken or gone.
   */
  enter(address: string, listen: () => void): () => void {
    const newcomers = this.byAddress.get(address) ?? { listenedTo: 0, waiting: new Set() };
    this.byAddress.set(address, newcomers);
    let leave = (): void => {
      newcomers.waiting.delete(begin);
      this.next(address, newcomers);
    };
    const begin = (): void => {
      newcomers.listenedTo++;
      let isCounted = true;
      const uncount = (): void => {
        if (!isCounted) return;
        isCounted = false;
        callOff();
        newcomers.listenedTo--;
        this.next(address, newcomers);
      };
      const callOff = this.after(SILENT_MILLIS, uncount);
      leave = uncount;
      listen();
    };
    newcomers.waiting.add(begin);
    this.next(address, newcomers);
    return () => leave();
  }

  private next(address: string, newcomers: Newcomers): void {
    const { waiting } = newcomers;
    for (const begin of waiting) {
      if (!hasRoom(newcomers)) return;
      waiting.delete(begin);
      begin();
    }
    if (newcomers.listenedTo === 0) this.byAddress.delete(address);
  }
}
