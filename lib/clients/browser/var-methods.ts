// Made by compat-tests/method-types.ts of the methods' schemas.
import type { Json } from './values.js';

interface Listed {
  readonly alias: string;
  readonly type_path: string;
  readonly unit: string;
  readonly dim: readonly number[];
  readonly about: string;
  readonly access: 'read-write' | 'read-only' | 'write-only';
}

export interface VarMethods {
  /** Lists the variables in declaration order: structures are entered, an array is one variable. With a limit, ask for the next page with `after`: the last alias of the page before. */
  'var/list': {
    readonly params: {
      readonly prefix?: string;
      readonly pattern?: string;
      readonly limit?: number;
      readonly after?: string;
      readonly under?: string;
      readonly without?: string | readonly string[];
    };
    readonly result: readonly Listed[];
  };

  /** Whether an alias names a variable, a structure or an element of one. */
  'var/exists': {
    readonly params: {
      readonly alias: string;
    };
    readonly result: boolean;
  };

  /** All that is known of one variable: its kind, labels of an enumeration, members of a structure, room of a text. */
  'var/describe': {
    readonly params: {
      readonly alias: string;
    };
    readonly result: Listed & {
      readonly kind: 'number' | 'bits' | 'enumeration' | 'text' | 'struct';
      readonly labels?: Readonly<Record<string, number>>;
      readonly capacity?: number;
      readonly bits?: number;
      readonly members?: readonly Listed[];
    };
  };

  /** The units of a variable, common units it may be asked for in, and, for `to`, how values convert: slope * x + intercept. */
  'var/units': {
    readonly params: {
      readonly alias: string;
      readonly to?: string;
    };
    readonly result: {
      readonly unit: string;
      readonly common: readonly string[];
      readonly conversion?: {
        readonly to: string;
        readonly slope: number;
        readonly intercept: number;
        readonly is_reciprocal: boolean;
      };
    };
  };

  /** One level of the tree of variables, in pages: all objects for an empty path, the members of a structure, the elements of an array; of a sequence or pointer those that it holds now. */
  'var/children': {
    readonly params: {
      readonly path?: string;
      readonly offset?: number;
      readonly count?: number;
      readonly filter?: string;
      readonly without?: string | readonly string[];
    };
    readonly result: {
      readonly path: string;
      readonly total: number;
      readonly offset: number;
      readonly children: readonly (Listed & {
        readonly name: string;
        readonly kind: 'number' | 'bits' | 'enumeration' | 'text' | 'struct';
        readonly has_children: boolean;
        readonly labels?: Readonly<Record<string, number>>;
      })[];
      readonly catalog_version: number;
    };
  };

  /** Finds variables by words: every word must occur in the path, the description, the units or a structure's or enumeration's name, in any case; w[3-7] is five elements. Best first: exact names, beginnings of words, parts of words, descriptions; when nothing fits, names that are spelled alike. */
  'var/search': {
    readonly params: {
      readonly text: string;
      readonly limit?: number;
      readonly under?: string;
      readonly without?: string | readonly string[];
      readonly kind?: 'any' | 'value';
    };
    readonly result: {
      readonly matches: readonly (Listed & {
        readonly name: string;
        readonly kind: 'number' | 'bits' | 'enumeration' | 'text' | 'struct';
        readonly has_children: boolean;
        readonly labels?: Readonly<Record<string, number>>;
        readonly rank: 'exact' | 'prefix' | 'substring' | 'about' | 'fuzzy';
      })[];
      readonly is_complete: boolean;
    };
  };

  /** Values of the latest frame, all of the same tick. What this client has set before is in them. With `since`, no values when no later frame has come. */
  'var/get': {
    readonly params: {
      readonly aliases: readonly string[];
      readonly units?: string | Readonly<Record<string, string>>;
      readonly lenient?: boolean;
      readonly since?: number;
    };
    readonly result: {
      readonly frame: number;
      readonly sim_time: {
        readonly sec_si: number;
        readonly label: string;
        readonly jumps?: number;
      };
      readonly values: Readonly<Record<string, Json>>;
      readonly missing?: Readonly<Record<string, string>>;
      readonly unchanged?: true;
    };
  };

  /** Sets one variable, or several in one tick: all of them or, when one does not fit, none. Answers at once with a sequence number, or, with wait, with the first frame that shows the change. Whole arrays take a list of all their elements. Enumerations take a label or a number. */
  'var/set': {
    readonly params: {
      readonly alias?: string;
      readonly value?: Json;
      readonly values?: Readonly<Record<string, Json>>;
      readonly units?: string | Readonly<Record<string, string>>;
      readonly wait?: boolean;
    };
    readonly result: {
      readonly sequence: number;
      readonly frame?: number;
      readonly sim_time?: {
        readonly sec_si: number;
        readonly label: string;
        readonly jumps?: number;
      };
    };
  };

  /** What became of a var/set that was answered at once, by its sequence number: of the latest 1000 of this client. Over a WebSocket a refusal is also told, by the notification `var/refused`. */
  'var/set-result': {
    readonly params: {
      readonly sequence: number;
    };
    readonly result: {
      readonly state: 'waiting' | 'done' | 'refused';
      readonly frame?: number;
      readonly reason?: string;
    };
  };

  /** Sends values on a cycle of simulation time, the latest frame right away. Over HTTP they stream at GET sse_url, or, with `Accept: text/event-stream` on the request, in its answer; over a WebSocket they come as notifications `var`. */
  'var/subscribe': {
    readonly params: {
      readonly aliases: readonly string[];
      readonly cycle_ms?: number;
      readonly units?: string | Readonly<Record<string, string>>;
      readonly on?: 'cycle' | 'change';
      readonly dead_band?: number | Readonly<Record<string, number>>;
      readonly changes_only?: boolean;
      readonly format?: 'json' | 'binary';
      readonly lenient?: boolean;
      readonly paused?: boolean;
      readonly history?: boolean;
    };
    readonly result: {
      readonly subscription_id: string;
      readonly effective_cycle_ms: number;
      readonly sse_url?: string;
      readonly missing?: Readonly<Record<string, string>>;
      readonly layout?: readonly {
        readonly alias: string;
        readonly format:
          | 'int8'
          | 'uint8'
          | 'int16'
          | 'uint16'
          | 'int32'
          | 'uint32'
          | 'int64'
          | 'uint64'
          | 'float32'
          | 'float64';
        readonly count: number;
        readonly offset: number;
      }[];
    };
  };

  /** Ends a subscription and its streams. */
  'var/unsubscribe': {
    readonly params: {
      readonly subscription_id: string;
    };
    readonly result: null;
  };

  /** Stops the messages of a subscription, or lets them go on. */
  'var/pause': {
    readonly params: {
      readonly subscription_id: string;
      readonly paused: boolean;
    };
    readonly result: null;
  };

  /** Gives a subscription another cycle. */
  'var/cycle': {
    readonly params: {
      readonly subscription_id: string;
      readonly cycle_ms: number;
    };
    readonly result: {
      readonly effective_cycle_ms: number;
    };
  };

  /** The past of single numbers and texts, as far as the server has kept it: since the first client subscribed to them with history, also after the last one has gone; since the start for those that the simulation or --keep names. What was only asked for here is kept for five minutes. Of a recording that is played, or beside a simulation (--reference), it is the file: the whole of it, wherever the playback stands. Older samples are thinned, and when there are more than points, the least and the greatest value of each stretch of time are answered. */
  'var/history': {
    readonly params: {
      readonly aliases: readonly string[];
      readonly from?: number;
      readonly to?: number;
      readonly points?: number;
      readonly units?: string | Readonly<Record<string, string>>;
      readonly lenient?: boolean;
    };
    readonly result: {
      readonly sim_time: {
        readonly sec_si: number;
        readonly label: string;
        readonly jumps?: number;
      };
      readonly kept_sec: number;
      readonly series: Readonly<
        Record<
          string,
          {
            readonly times: readonly number[];
            readonly values: readonly Json[];
            readonly since: number | null;
            readonly whole_since: number | null;
            readonly stretch_sec: number;
            readonly in_file?: true;
            readonly until?: number;
            readonly is_sampled?: true;
          }
        >
      >;
      readonly missing?: Readonly<Record<string, string>>;
    };
  };

  /** The first and the last value, the least and the greatest, with their times, the mean and the root mean square of a stretch of the past that var/history keeps. */
  'var/statistics': {
    readonly params: {
      readonly aliases: readonly string[];
      readonly from: number;
      readonly to: number;
      readonly units?: string | Readonly<Record<string, string>>;
    };
    readonly result: {
      readonly series: Readonly<
        Record<
          string,
          {
            readonly count: number;
            readonly is_exact: boolean;
            readonly first_sec: number | null;
            readonly first: number | null;
            readonly last_sec: number | null;
            readonly last: number | null;
            readonly least: number | null;
            readonly least_sec: number | null;
            readonly greatest: number | null;
            readonly greatest_sec: number | null;
            readonly mean: number | null;
            readonly rms: number | null;
          }
        >
      >;
      readonly missing?: Readonly<Record<string, string>>;
    };
  };

  /** The amplitudes of the frequencies in a stretch of the past: with a Hann window, without the mean. Of rows that are all kept and evenly spaced only. */
  'var/spectrum': {
    readonly params: {
      readonly alias: string;
      readonly from: number;
      readonly to: number;
      readonly units?: string | Readonly<Record<string, string>>;
      readonly points?: number;
    };
    readonly result: {
      readonly frequencies: readonly number[];
      readonly amplitudes: readonly number[];
    };
  };

  /** Answers at the first frame, the latest included, in which a comparison holds; error -23417 when time runs out. */
  'var/wait': {
    readonly params: {
      readonly condition:
        | string
        | {
            readonly alias: string;
            readonly op: '<' | '<=' | '>' | '>=' | '==' | '!=';
            readonly value: number | string | boolean;
            readonly units?: string;
          };
      readonly timeout_ms?: number;
    };
    readonly result: {
      readonly frame: number;
      readonly sim_time: {
        readonly sec_si: number;
        readonly label: string;
        readonly jumps?: number;
      };
      readonly value: Json;
    };
  };
}
