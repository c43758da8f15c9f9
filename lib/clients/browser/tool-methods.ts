// Made by compat-tests/method-types.ts of the methods' schemas.
import type { Json } from './values.js';

export interface ToolMethods {
  /** The runs that this server has: those of a playback, or a simulation and its references. */
  'runs/list': {
    readonly params: Record<string, never>;
    readonly result: {
      readonly runs: readonly {
        readonly run: string;
        readonly label: string;
        readonly is_live: boolean;
      }[];
    };
  };

  /** Variables of runs, or expressions of them, over the whole time of the runs: shifted, scaled, or less the same of another run, which is interpolated at the times of the first (an integer holds). Every row is computed; when there are more than points, the least and the greatest of each stretch are answered. */
  'runs/curves': {
    readonly params: {
      readonly curves: readonly {
        readonly run: string;
        readonly name: string;
        readonly units?: string;
        readonly from_units?: string;
        readonly scale?: number;
        readonly bias?: number;
        readonly shift_sec?: number;
        readonly minus?: {
          readonly run: string;
          readonly name: string;
          readonly units?: string;
          readonly from_units?: string;
          readonly scale?: number;
          readonly bias?: number;
          readonly shift_sec?: number;
        };
      }[];
      readonly from?: number;
      readonly to?: number;
      readonly points?: number;
    };
    readonly result: {
      readonly curves: readonly {
        readonly times?: readonly number[];
        readonly values?: readonly (number | string | null)[];
        readonly units?: string;
        readonly is_held?: boolean;
        readonly from?: number | null;
        readonly to?: number | null;
        readonly stretch_sec?: number;
        readonly is_sampled?: true;
        readonly problem?: string;
      }[];
    };
  };

  /** The layouts of the page that the server keeps, in layouts/ of the run directory, the newest first. */
  'layout/list': {
    readonly params: Record<string, never>;
    readonly result: {
      readonly layouts: readonly {
        readonly name: string;
        readonly bytes: number;
        readonly modified: string;
      }[];
      readonly may_save: boolean;
      readonly more: boolean;
    };
  };

  /** A layout that the server keeps. */
  'layout/get': {
    readonly params: {
      readonly name: string;
    };
    readonly result: {
      readonly layout: Readonly<Record<string, Json>>;
    };
  };

  /** Keeps a layout of the page for all who open it, also after a restart: up to 100 of 65536 bytes. */
  'layout/save': {
    readonly params: {
      readonly name: string;
      readonly layout: Readonly<Record<string, Json>>;
      readonly replace?: boolean;
    };
    readonly result: null;
  };

  /** Removes a layout that a client has saved. */
  'layout/remove': {
    readonly params: {
      readonly name: string;
    };
    readonly result: null;
  };

  /** The recordings of the run directory, those of earlier runs too, the newest first. One that is switched off, or waits for its past, may have no file yet. */
  'recording/list': {
    readonly params: Record<string, never>;
    readonly result: {
      readonly recordings: readonly {
        readonly name: string;
        readonly format: 'csv' | 'txt' | 'trk' | 'mcap';
        readonly file: string;
        readonly bytes: number;
        readonly modified: string;
        readonly is_open: boolean;
        readonly ended?: string;
        readonly url: string;
      }[];
      readonly waiting: readonly string[];
      readonly more: boolean;
    };
  };

  /** Records variables to a file of the run directory, log_NAME.csv, log_NAME.trk or log_NAME.mcap, which is made at once. Arrays are recorded by their elements. */
  'recording/start': {
    readonly params: {
      readonly name: string;
      readonly aliases: readonly string[];
      readonly cycle_sec?: number;
      readonly format?: 'csv' | 'trk' | 'mcap';
      readonly past_sec?: number;
      readonly when?: 'always' | 'change';
    };
    readonly result: {
      readonly name: string;
      readonly file: string;
      readonly frame: number;
      readonly past?: {
        readonly rows: number;
        readonly from_sec: number | null;
        readonly about: string;
      };
    };
  };

  /** Ends a recording, with all its rows written. */
  'recording/stop': {
    readonly params: {
      readonly name: string;
    };
    readonly result: {
      readonly frame: number;
    };
  };

  /** The results of a Monte Carlo that is played: what each run was given, what came of it, and how many meet each requirement. The variables of an open run are below its name, such as run7. */
  'runs/results': {
    readonly params: {
      readonly columns?: readonly string[];
      readonly from?: number;
      readonly count?: number;
      readonly with_repeat?: boolean;
    };
    readonly result: {
      readonly name: string;
      readonly seed: number;
      readonly runs: number;
      readonly missing: number;
      readonly open: readonly number[];
      readonly columns: readonly {
        readonly name: string;
        readonly kind: 'run' | 'seed' | 'drawn' | 'time' | 'result' | 'requirement' | 'error';
        readonly units?: string;
        readonly values: readonly (number | string | boolean | null)[];
      }[];
      readonly requirements: readonly {
        readonly text: string;
        readonly passed: number;
        readonly runs: number;
        readonly rate: number | null;
        readonly low: number;
        readonly high: number;
      }[];
      readonly directories: readonly string[];
      readonly repeat?: readonly string[];
    };
  };

  /** Runs a text of the Trick command language, under the limits of a Trick session. Answers when everything that it has asked for shows. Over a WebSocket its names stay for the next text, and `_` is the last value; over HTTP each call is a session of its own. */
  'trick/run': {
    readonly params: {
      readonly text: string;
    };
    readonly result: {
      readonly ok: boolean;
      readonly output: readonly {
        readonly stream: 'stdout' | 'stderr';
        readonly text: string;
      }[];
      readonly value: string | null;
      readonly messages: readonly string[];
    };
  };

  /** What may stand at a place of a text of the Trick command language: commands, variables, events, functions. */
  'trick/complete': {
    readonly params: {
      readonly text: string;
      readonly cursor?: number;
    };
    readonly result: {
      readonly start: number;
      readonly end: number;
      readonly items: readonly {
        readonly text: string;
        readonly kind: 'command' | 'variable' | 'event' | 'function' | 'label';
        readonly about: string;
      }[];
    };
  };

  /** The events of the simulation, as Trick's event viewer lists them. */
  'event/list': {
    readonly params: Record<string, never>;
    readonly result: {
      readonly ticker: number;
      readonly events: readonly {
        readonly name: string;
        readonly active: boolean;
        readonly added: boolean;
        readonly mode: 'auto' | 'on' | 'off';
        readonly cycle_sec: number;
        readonly needs_all: boolean;
        readonly hold: boolean;
        readonly owner: string;
        readonly job?: string;
        readonly place?: 'before' | 'after';
        readonly fired_count: number;
        readonly fired_sec: number | null;
        readonly ran_count: number;
        readonly ran_sec: number | null;
        readonly conditions: readonly {
          readonly text: string;
          readonly comment: string;
          readonly enabled: boolean;
          readonly hold: boolean;
          readonly fired: boolean;
          readonly fired_count: number;
          readonly fired_sec: number | null;
        }[];
        readonly actions: readonly {
          readonly text: string;
          readonly comment: string;
          readonly enabled: boolean;
          readonly ran: boolean;
          readonly ran_count: number;
          readonly ran_sec: number | null;
        }[];
      }[];
    };
  };

  /** Activates an event, or deactivates it. */
  'event/active': {
    readonly params: {
      readonly name: string;
      readonly active: boolean;
    };
    readonly result: null;
  };

  /** on: the event acts at each cycle, whatever its conditions say; off: it does nothing; auto: its conditions count. */
  'event/mode': {
    readonly params: {
      readonly name: string;
      readonly mode: 'auto' | 'on' | 'off';
    };
    readonly result: null;
  };

  /** Runs the actions of an event now, once. */
  'event/fire': {
    readonly params: {
      readonly name: string;
    };
    readonly result: null;
  };

  /** Switches a condition of an event on or off, or makes it stay fired once it has fired. */
  'event/condition': {
    readonly params: {
      readonly name: string;
      readonly index: number;
      readonly enabled?: boolean;
      readonly hold?: boolean;
    };
    readonly result: null;
  };

  /** Switches an action of an event on or off. */
  'event/action': {
    readonly params: {
      readonly name: string;
      readonly index: number;
      readonly enabled: boolean;
    };
    readonly result: null;
  };
}
