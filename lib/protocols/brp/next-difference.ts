// Waits until a frame shows something else than a picture of what a query showed.
import { Lease } from '../../model/frame/lease.js';
import type { Frame } from '../../model/frame/reader.js';
import { GONE } from '../json-rpc/caller.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import type { BrpCall } from './operation.js';
import type { Picture, Portion } from './picture.js';

/**
 * True at a frame that shows something else, false when time runs out. Rejects when the simulation or client goes.
 * @param call its client is still there.
 * @param waitMillis above 0; infinite for as long as it takes.
 */
export function nextDifference(call: BrpCall, picture: Picture, waitMillis: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = [];
    let isOver = false;
    const stop = (): void => {
      for (const end of stops.splice(0)) end();
    };
    const settle = (act: () => void): void => {
      isOver = true;
      stop();
      act();
    };
    const fail = (error: Error): void => settle(() => reject(error));
    const leases = new Map(picture.portions.map((portion) => [portion, new Lease()]));
    const leaseOf = (portion: Portion): Lease => leases.get(portion) as Lease;
    stops.push(() => {
      for (const lease of leases.values()) lease.end();
    });
    const look = (frame: Frame, portion: Portion): void => {
      const isOther =
        frame.header.catalogVersion !== picture.catalogVersion || portion.differsIn(frame, leaseOf(portion));
      if (isOther) settle(() => resolve(true));
    };
    /** A frame that has come meanwhile. */
    const lookNow = async (): Promise<void> => {
      for (const portion of picture.portions) {
        await call.turn();
        if (isOver) return;
        look(call.source.frame, portion);
      }
    };
    const end = (reason: string): void => fail(new RpcError(RpcCode.requestRefused, `the poll has ended: ${reason}`));
    stops.push(call.presence.onEnd(() => fail(GONE)));
    if (Number.isFinite(waitMillis)) stops.push(call.clock.after(waitMillis, () => settle(() => resolve(false))));
    // Each portion looks at frames in a piece of work of its own.
    for (const portion of picture.portions)
      stops.push(call.followers.add({ account: call.account, look: (frame) => look(frame, portion), end }));
    if (isOver) stop();
    else if (call.source.frame.header.number !== picture.frame) lookNow().catch(fail);
  });
}
