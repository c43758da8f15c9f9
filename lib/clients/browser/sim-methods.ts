// Made by compat-tests/method-types.ts of the methods' schemas.
import type { Json } from './values.js';

interface Reached {
  readonly frame: number;
  readonly mode: 'initialization' | 'freeze' | 'step' | 'run' | 'exit' | 'disconnected';
  readonly sim_time: {
    readonly sec_si: number;
    readonly label: string;
    readonly jumps?: number;
  };
}

export interface SimMethods {
  /** What the simulation is doing, by the latest frame. */
  'sim/status': {
    readonly params: Record<string, never>;
    readonly result: {
      readonly name: string;
      readonly what?: string;
      readonly mode: 'initialization' | 'freeze' | 'step' | 'run' | 'exit' | 'disconnected';
      readonly age_sec?: number;
      readonly reason?: string;
      readonly sim_time: {
        readonly sec_si: number;
        readonly label: string;
        readonly jumps?: number;
      };
      readonly elapsed_sec: number;
      readonly frame: number;
      readonly tick: number;
      readonly tick_ms: number;
      readonly clock_ratio: number | null;
      readonly catalog_version: number;
      readonly playback?: {
        readonly first_sec: number;
        readonly last_sec: number;
      };
      readonly overruns: number;
      readonly lapped_frames: number;
      readonly skipped_frames: number;
      readonly skipped_cycles: number;
      readonly loop_lag_ms: number;
      readonly cpu_sec?: number;
      readonly jobs: readonly {
        readonly name: string;
        readonly calls: number;
        readonly mean_ms: number;
        readonly worst_ms: number;
      }[];
    };
  };

  /** run and freeze; step: run this many ticks and freeze again; clock_ratio: simulation seconds in a second; real_time: false for as fast as possible; terminate: end the run. Answers when a frame shows it. */
  'sim/control': {
    readonly params: {
      readonly action: 'run' | 'freeze' | 'step' | 'clock_ratio' | 'real_time' | 'terminate';
      readonly frames?: number;
      readonly ratio?: number;
      readonly enabled?: boolean;
      readonly at_sec?: number;
    };
    readonly result: Reached;
  };

  /** Goes to a time of a recording, which sim/status shows as playback; other sources refuse. A recording that runs goes on from there. */
  'sim/seek': {
    readonly params: {
      readonly to_sec: number;
    };
    readonly result: Reached;
  };

  /** The poses that the simulation declares; parents come before children. Poses without variables are left out. */
  'scene/get': {
    readonly params: Record<string, never>;
    readonly result: {
      readonly poses: readonly {
        readonly name: string;
        readonly parent: string | null;
        readonly position: string;
        readonly positionUnits: string;
        readonly attitude: string | null;
        readonly shape:
          | {
              readonly kind: 'box';
              readonly size: readonly number[];
              readonly color: string;
            }
          | {
              readonly kind: 'sphere';
              readonly radius: number;
              readonly color: string;
            }
          | {
              readonly kind: 'cylinder';
              readonly radius: number;
              readonly length: number;
              readonly color: string;
            }
          | {
              readonly kind: 'arrow';
              readonly length: number;
              readonly radius: number;
              readonly color: string;
            }
          | {
              readonly kind: 'model';
              readonly file: string;
              readonly scale: number;
            }
          | null;
        readonly body: {
          readonly radius: number;
          readonly texture?: string;
        } | null;
      }[];
    };
  };

  /** Writes the state, or some of its objects, to a file of the run directory. Answers when the file is there. */
  'sim/checkpoint': {
    readonly params: {
      readonly file?: string;
      readonly objects?: readonly string[];
    };
    readonly result: {
      readonly file: string;
      readonly frame: number;
      readonly sim_time: {
        readonly sec_si: number;
        readonly label: string;
        readonly jumps?: number;
      };
    };
  };

  /** Goes on from a checkpoint of the run directory, at its simulation time. Answers when a frame shows it. */
  'sim/load-checkpoint': {
    readonly params: {
      readonly file: string;
    };
    readonly result: {
      readonly frame: number;
      readonly sim_time: {
        readonly sec_si: number;
        readonly label: string;
        readonly jumps?: number;
      };
    };
  };

  /** Who this client is to the server, and what it may do. After a restart `started` differs, so a page can tell that it must begin anew. */
  'session/me': {
    readonly params: Record<string, never>;
    readonly result: {
      readonly address: string;
      readonly protocol: 'http' | 'websocket';
      readonly may_change: boolean;
      readonly methods: readonly string[];
      readonly version: string;
      readonly started: string;
      readonly simulation: string;
      readonly abilities: Readonly<Record<string, boolean>>;
      readonly default_cycle_ms: number;
      readonly history_sec: number;
    };
  };

  /** Who is connected, in any protocol, and what is sent to them. Requests over HTTP from one address are one client. */
  'sim/clients': {
    readonly params: Record<string, never>;
    readonly result: {
      readonly clients: readonly {
        readonly id: number;
        readonly protocol: string;
        readonly transport: string;
        readonly address: string;
        readonly tag: string;
        readonly is_me: boolean;
        readonly reads: readonly string[];
        readonly reads_count: number;
        readonly subscriptions: number;
        readonly sent_messages: number;
        readonly sent_bytes: number;
        readonly dropped_messages: number;
      }[];
      readonly more: boolean;
    };
  };

  /** The latest messages of the simulation and of the server, oldest first. With follow, over a WebSocket, later ones come as notifications `sim/message`; after a gap in their numbers ask with `after`. */
  'sim/messages': {
    readonly params: {
      readonly last?: number;
      readonly after?: number;
      readonly follow?: boolean;
    };
    readonly result: {
      readonly messages: readonly {
        readonly number: number;
        readonly level: string;
        readonly text: string;
        readonly elapsed_sec: number;
      }[];
      readonly following: boolean;
    };
  };

  /** What happened when: freezes and runs, jumps of time, checkpoints, events that fired, warnings and errors. */
  'sim/marks': {
    readonly params: {
      readonly after?: number;
    };
    readonly result: {
      readonly marks: readonly {
        readonly number: number;
        readonly kind: 'freeze' | 'run' | 'jump' | 'checkpoint' | 'event' | 'message';
        readonly sec_si: number;
        readonly text: string;
      }[];
    };
  };

  /** The functions of the simulation that sim/call can call. */
  'sim/functions': {
    readonly params: Record<string, never>;
    readonly result: readonly {
      readonly name: string;
      readonly about: string;
      readonly takes?: readonly {
        readonly name: string;
        readonly type: string;
        readonly unit: string;
        readonly dim: readonly number[];
        readonly about: string;
      }[];
      readonly gives?: {
        readonly type: string;
        readonly unit: string;
        readonly dim: readonly number[];
        readonly about: string;
      };
    }[];
  };

  /** Calls a function of the simulation between two ticks, and answers with its result. Arguments are a list in order, or an object by name; units are texts by the name of a parameter. */
  'sim/call': {
    readonly params: {
      readonly name: string;
      readonly arguments?: readonly Json[] | Readonly<Record<string, Json>>;
      readonly units?: Readonly<Record<string, string>>;
    };
    readonly result: {
      readonly value: Json;
      readonly frame: number;
      readonly sim_time: {
        readonly sec_si: number;
        readonly label: string;
        readonly jumps?: number;
      };
    };
  };

  /** The checkpoints of the run directory, the newest first, without those in directories below it. */
  'sim/checkpoints': {
    readonly params: Record<string, never>;
    readonly result: {
      readonly directory: string;
      readonly files: readonly {
        readonly file: string;
        readonly bytes: number;
        readonly modified: string;
      }[];
      readonly more: boolean;
    };
  };

  /** This document. */
  'rpc.discover': {
    readonly params: Record<string, never>;
    readonly result: {
      readonly openrpc: string;
    };
  };
}
