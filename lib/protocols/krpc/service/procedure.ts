// What a service is made of: procedures, classes, enumerations and exceptions, as an embedding program may add them.
import type { Frame, Shown } from '../../../model/frame/reader.js';
import type { Session } from '../../../serving/session/session.js';
import type { KrpcType, KrpcValue, NamedCall } from '../values/type.js';

/** A parameter of a procedure. */
export interface Parameter {
  readonly name: string;
  readonly type: KrpcType;
  readonly isNullable?: boolean;
  /** The value of an argument that is left out. Without it the argument is required. */
  readonly byDefault?: KrpcValue;
}

/** Something that is read from frames. */
export interface FrameValue {
  /** What a frame must carry. */
  readonly shown: readonly Shown[];
  /** How many single values it has, for the client's account. */
  readonly valueCount: number;
  /** The value in a frame that carries it. Throws an Error with one sentence. */
  read(frame: Frame): KrpcValue;
}

/** What every frame says, whatever it carries. */
export const ofFrames = (read: FrameValue['read']): FrameValue => ({ shown: [], valueCount: 1, read });

/** What clients read of a procedure. */
export interface ProcedureFacts {
  /** As kRPC names them: `Kick`, `get_Time`, `Body_get_Mass`, `Body_static_All`. */
  readonly name: string;
  /** One line; plain text. */
  readonly about: string;
  readonly parameters: readonly Parameter[];
  /** Left out for a procedure that returns nothing. */
  readonly returns?: KrpcType;
  readonly returnsNull?: boolean;
  /** Why it should not be used any longer; may be empty. */
  readonly deprecated?: string;
}

/** A procedure whose value is read from frames. */
export interface WatchedProcedure extends ProcedureFacts {
  /** Throws, or rejects with, an Error with one sentence when the arguments name nothing. */
  readonly watch: (caller: Caller, given: readonly KrpcValue[]) => FrameValue | Promise<FrameValue>;
}

/** A procedure that does something. */
export interface CalledProcedure extends ProcedureFacts {
  /** Whether it changes the simulation, which clients with a read-only token may not. */
  readonly isChange?: boolean;
  /** Rejects or throws with one sentence. */
  readonly call: (
    caller: Caller,
    given: readonly KrpcValue[],
  ) => KrpcValue | undefined | Promise<KrpcValue | undefined>;
}

/** A procedure of a service: what it takes and gives, and what it does. */
export type Procedure = WatchedProcedure | CalledProcedure;

/** The parameters of a procedure, in order: the type of each, or more of it. */
type Takes = Readonly<Record<string, KrpcType | Omit<Parameter, 'name'>>>;
type Does =
  | Omit<WatchedProcedure, 'name' | 'about' | 'parameters'>
  | Omit<CalledProcedure, 'name' | 'about' | 'parameters'>;

export const procedure = (name: string, about: string, takes: Takes, does: Does): Procedure => ({
  name,
  about,
  parameters: Object.entries(takes).map(([own, facts]) => ({
    name: own,
    ...('code' in facts ? { type: facts } : facts),
  })),
  ...does,
});

interface Named {
  readonly name: string;
  readonly about: string;
  readonly deprecated?: string;
}

/** A class of a service. */
export type ServiceClass = Named;
/** An exception of a service. */
export type ServiceException = Named;
/** An enumeration of a service. */
export interface ServiceEnumeration extends Named {
  readonly values: readonly (Named & { readonly value: number })[];
}

/** A service: procedures, classes, enumerations and exceptions under one name. */
export interface Service {
  readonly name: string;
  readonly about: string;
  /** The number by which clients may call it; above 3. Default: the next free one. */
  readonly id?: number;
  readonly procedures: readonly Procedure[];
  readonly classes: readonly ServiceClass[];
  readonly enumerations: readonly ServiceEnumeration[];
  readonly exceptions: readonly ServiceException[];
}

/** Services of an embedding program. */
export interface AddedServices {
  readonly services: readonly Service[];
  /** Whether they are all there is beside KRPC: clients see neither the simulation's service nor VarServer. */
  readonly isAlone?: boolean;
}

/** The condition of an event; the server asks it once in each frame. */
export interface Condition {
  /** Whether it is met; undefined while that is unknown. Throws an Error with one sentence, which ends the event. */
  isMet(frame: Frame): boolean | undefined;
  /** Whether the event ends after this frame. */
  readonly isOver?: boolean;
}

/** The client that calls. */
export interface Caller {
  /** 16 bytes that nobody can guess. */
  readonly id: Uint8Array;
  readonly name: string;
  readonly address: string;
  /** Whether it may change the simulation. */
  readonly mayChange: boolean;
  readonly session: Session;
  readonly streams: CallerStreams;
  readonly server: KrpcServerFacts;
  /**
   * For a procedure that computes for long: await it after every few hundred items, so that other clients do not wait.
   * Rejects when the client has gone.
   */
  readonly turn: () => Promise<void>;
  /** Resolves at the next tick of the simulation. */
  nextTick(): Promise<void>;
}

/** The streams of a client, by number. */
export interface CallerStreams {
  /** Rejects with an Error with one sentence: no stream connection, an unknown procedure, too many streams. */
  add(call: NamedCall, isStarted: boolean): Promise<number>;
  start(id: number): void;
  setRate(id: number, hertz: number): void;
  remove(id: number): void;
  addEvent(condition: Condition): number;
  /** What a call gives in each frame, for expressions, and the type of it. */
  valueOf(call: NamedCall): Promise<ValueInFrames>;
}

/** What a call gives in each frame. */
export interface ValueInFrames {
  /** Equal for equal calls. */
  readonly key: string;
  readonly type: KrpcType;
  readonly source: FrameSource;
}

/** The value of a call in each frame. */
export interface FrameSource {
  readonly valueCount: number;
  /** Bytes that it takes besides its value. */
  readonly keptBytes: number;
  /** Steps of an expression that the last value cost. */
  readonly cost: number;
  /** The value, undefined while there is none yet. Throws an Error with one sentence. */
  take(frame: Frame): KrpcValue | undefined;
  /** Nobody reads it any longer. */
  end(): void;
}

export interface KrpcServerFacts {
  readonly clients: readonly Pick<Caller, 'id' | 'name' | 'address'>[];
  /** The bytes of the message Status. */
  status(): Uint8Array;
}

/** A declared exception, which clients throw as one of their own. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';

  constructor(
    readonly service: string,
    readonly exception: string,
    sentence: string,
  ) {
    super(sentence);
  }
}

/** An error that clients get as kRPC's InvalidOperationException. */
export const invalidOperation = (sentence: string): ServiceError =>
  new ServiceError('KRPC', 'InvalidOperationException', sentence);
/** Refuses a procedure to a client that may not change the simulation. */
export function requireRight({ mayChange }: Caller, procedure: Procedure): void {
  if (mayChange || !('call' in procedure) || !procedure.isChange) return;
  throw invalidOperation('this client may read the simulation, and not change it');
}

/** An error that clients get as kRPC's ArgumentException. */
export const invalidArgument = (sentence: string): ServiceError =>
  new ServiceError('KRPC', 'ArgumentException', sentence);
/** An error that clients get as kRPC's ArgumentNullException. */
export const nullArgument = (name: string): ServiceError =>
  new ServiceError('KRPC', 'ArgumentNullException', `${name} is null, which it cannot be`);
