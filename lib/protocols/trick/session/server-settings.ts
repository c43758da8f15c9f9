// What the Trick sessions of a server share, and what they may ask of the server.
import type { Account } from '../../../serving/scheduling/account.js';
import type { OneOfEach } from '../../../serving/scheduling/one-of-each.js';
import type { LogLevel } from '../../../source/source.js';
import type { Interpreter, Limits, Run } from '../../python/index.js';
import type { Asking } from '../events/errands.js';
import type { TrickEvent } from '../events/event.js';
import type { EventTable } from '../events/event-table.js';
import type { ShownElsewhere } from '../events/shown-elsewhere.js';
import type { Study, StudyPart } from '../monte-carlo/study.js';
import type { TrickSession } from './trick-session.js';
import type { WebSimObject } from './web-server.js';

/** The client that opens a port; its address keeps a place for it. */
export type PortOwner = Pick<Account, 'network' | 'isClosed' | 'onClose'>;

/**
 * Opens further ports; each rejects with one sentence.
 * @param by undefined for the operator's input file, whose ports stay.
 */
export interface PortOpener {
  tcp(address: string, port: number, by?: PortOwner): Promise<void>;
  udp(address: string, port: number, by?: PortOwner): Promise<void>;
  multicast(group: string, address: string, port: number, by?: PortOwner): Promise<void>;
}

/** Runs the actions of an event now. Trick: IPPythonEvent::manual_fire */
export interface EventFiring {
  /** Runs them for a client's block, which waits until the variables show them. @param by the client's address. */
  elsewhere(event: TrickEvent, by: string): Promise<void>;
  /** Runs them soon, as what its owner asks, for a text of somebody else on the server, which gives nobody its rights. */
  later(event: TrickEvent): Promise<void>;
  /** Runs them within a block of the server's own, which asks the simulation for jobs. */
  here(event: TrickEvent, interpreter: Interpreter, ask: Asking): Run<void>;
}

export interface TrickServer {
  readonly hostname: string;
  /** The main port; 0 before it is open. */
  readonly port: number;
  /** The main port that an input file has chosen. Trick: var_server_set_port */
  chosenPort?: number | undefined;
  /** Shown in discovery messages. Trick: var_server_set_user_tag */
  userTag: string;
  /** Whether new sessions are taken. Trick: var_server_set_enabled */
  isEnabled: boolean;
  /** The operator's unit tests: whether they decide about the exit code, and whether one has failed. Trick: UnitTest */
  readonly tests: { isEnabled: boolean; hasFailed: boolean };
  /** Whether everything that sessions ask is logged. Trick: set_var_server_info_msg_on */
  isLogging: boolean;
  /** All sessions share these events. */
  readonly events: EventTable;
  readonly firing: EventFiring;
  /** Of a simulation elsewhere that has events of its own. */
  readonly elsewhere?: ShownElsewhere | undefined;
  /** Runs a text at a simulation time; false when too many wait. @param by the client's address. Trick: add_read */
  readonly addRead: (atSeconds: number, text: string, limits: Limits, by?: string) => boolean;
  /** Long blocks for which there is no room in what their clients may keep: one of each address runs nevertheless. */
  readonly longBlocks: OneOfEach;
  /** What the input file says of Monte Carlo runs. */
  readonly study: Study;
  /** What the input file says of Trick's web server. */
  readonly web: WebSimObject;
  readonly ports: PortOpener;
  readonly allowed: AllowRules;
  /** Whether clients, too, may decide who may connect; the operator's input file always may. */
  hasClientRules: boolean;
  sessions(): Iterable<TrickSession>;
  /**
   * Logs a line; the default level is informational.
   * @param ofClient for a client's line: `by`, who says it, stands in the operator's log, and readers of messages get the text
   * alone, as Trick's do.
   */
  log(text: string, level?: LogLevel, ofClient?: { readonly by?: string }): void;
}

/** What the front-end is given; the front-end adds the rest. */
export type ServerSurroundings = Pick<TrickServer, 'hostname' | 'ports' | 'allowed' | 'hasClientRules' | 'log'> & {
  /** The part of the simulation in a Monte Carlo. Default: none. */
  readonly studyPart?: StudyPart;
};

/** Which clients' addresses may connect; commands can only narrow what the operator allowed. */
export interface AllowRules {
  /** Throws a sentence for text that is no address range. */
  add(cidr: string): void;
  remove(cidr: string): boolean;
  setOpen(isOpen: boolean): void;
  allowAll(): void;
  /** Removes all added ranges. */
  forgetAdded(): void;
  /** Whether connections are taken at all. */
  readonly isOpen: boolean;
  /** Whether there are added ranges. */
  readonly isNarrowed: boolean;
}
