// What every watch of one entity, or of all, does: it finds the entity in each new catalog, and ends when that is gone.
import { Lease } from '../../model/frame/lease.js';
import type { Frame } from '../../model/frame/reader.js';
import type { SimObject } from '../../model/state/catalog.js';
import { TooManyPointersError } from '../../model/state/reach.js';
import { OverBoundError } from '../../serving/scheduling/account.js';
import { Held } from '../../serving/scheduling/held.js';
import { GONE } from '../json-rpc/caller.js';
import { RpcCode, RpcError } from '../json-rpc/rpc-error.js';
import { entityNotFound } from './brp-error.js';
import { entityText } from './entity.js';
import type { ComponentFollower } from './kept-component.js';
import type { BrpCall } from './operation.js';
import type { WatchOutput } from './watch-output.js';
import { madeWorldOf, type World, worldOf } from './world.js';

/** A running watch. */
export interface Watch {
  close(): void;
}

/** @typeParam Of undefined for all entities. */
export abstract class EntityWatch<Of extends SimObject | undefined = SimObject> implements ComponentFollower, Watch {
  readonly account;
  protected readonly held: Held;
  protected readonly lease = new Lease();
  private catalogVersion = -1;
  private stop: (() => void) | undefined;
  /** Whether it waits until the world is there. */
  private isWaiting = false;

  constructor(
    protected readonly call: BrpCall,
    protected object: Of,
    protected readonly output: WatchOutput,
  ) {
    this.account = call.account;
    this.held = new Held(call.account);
  }

  /** Throws an OverBoundError. */
  start(): this {
    this.held.set('subscriptions', 1);
    try {
      this.bind();
      this.begin();
    } catch (error) {
      this.giveBack();
      throw error;
    }
    this.stop = this.call.followers.add(this);
    this.look(this.call.source.frame);
    return this;
  }

  get isClosed(): boolean {
    return !this.stop;
  }

  close(): void {
    this.stop?.();
    this.stop = undefined;
    this.giveBack();
  }

  private giveBack(): void {
    this.held.release();
    this.lease.end();
  }

  look(frame: Frame): void {
    if (this.isWaiting) return;
    try {
      if (this.bind()) this.lookAt(frame);
    } catch (error) {
      if (error instanceof RpcError) this.fail(error);
      else if (error instanceof OverBoundError || error instanceof TooManyPointersError)
        this.fail(new RpcError(RpcCode.tooMany, error.message));
      else throw error;
    }
  }

  end(reason: string): void {
    this.fail(new RpcError(RpcCode.requestRefused, `the watch has ended: ${reason}`));
  }

  /** Whether it waits for the world of each new catalog. */
  protected abstract readonly needsWorld: boolean;
  /** Called with each new catalog. */
  protected abstract rebind(world: World | undefined): void;
  /** What the first event is compared with. */
  protected abstract begin(): void;
  protected abstract lookAt(frame: Frame): void;

  protected fail(error: RpcError): void {
    this.close();
    this.output.fail(error);
  }

  /** False when it looks later, because the world is being made in turns. */
  private bind(): boolean {
    const { source } = this.call;
    const { version } = source.catalog;
    if (version === this.catalogVersion) return true;
    if (this.object) this.object = this.found(this.object) as Of;
    const world = this.needsWorld ? worldOf(source) : undefined;
    if (this.needsWorld && !world) void this.lookLater();
    else {
      this.rebind(world);
      this.catalogVersion = version;
    }
    return !this.isWaiting;
  }

  private found({ name, number }: SimObject): SimObject {
    const object = this.call.source.catalog.object(name);
    if (object?.number !== number) throw entityNotFound(entityText(number, this.call.generation));
    return object;
  }

  /** Looks again when the world is there, which is made in turns; a closed watch leaves the rest to others. */
  private async lookLater(): Promise<void> {
    this.isWaiting = true;
    const { source, registry } = this.call;
    const turn = async (): Promise<void> => {
      await registry.turns.turn(this.account);
      if (!this.stop) throw GONE;
    };
    try {
      await turn();
      await madeWorldOf(source, turn);
      this.isWaiting = false;
      if (this.stop) this.look(source.frame);
    } catch (error) {
      if (error instanceof RpcError) this.fail(error);
      else if (error !== GONE) {
        this.fail(LOOK_FAILED);
        registry.turns.failed(error);
      }
    }
  }
}

const LOOK_FAILED = new RpcError(RpcCode.internal, 'the watch has ended: the server failed to look at the entities');
