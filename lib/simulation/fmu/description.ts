// What a modelDescription.xml says, as plain data: of FMI 2.0 and 3.0 in the words of 3.0.

export type FmuType =
  | 'Float64'
  | 'Float32'
  | 'Int8'
  | 'UInt8'
  | 'Int16'
  | 'UInt16'
  | 'Int32'
  | 'UInt32'
  | 'Int64'
  | 'UInt64'
  | 'Boolean'
  | 'Enumeration'
  | 'String'
  | 'Binary'
  | 'Clock';

export type Causality =
  | 'parameter'
  | 'calculatedParameter'
  | 'structuralParameter'
  | 'input'
  | 'output'
  | 'local'
  | 'independent';

export type Variability = 'constant' | 'fixed' | 'tunable' | 'discrete' | 'continuous';

/** The extent of an array: a number, or the value reference of the structural parameter that has it. */
export type Extent = number | { readonly valueReference: number };

export interface FmuVariable {
  readonly name: string;
  readonly valueReference: number;
  readonly type: FmuType;
  readonly causality: Causality;
  readonly variability: Variability;
  readonly initial: 'exact' | 'approx' | 'calculated' | undefined;
  /** As the file has it: numbers of an array are separated by spaces. */
  readonly start: string | undefined;
  /** The texts of a variable of the type String. */
  readonly startTexts: readonly string[];
  readonly extents: readonly Extent[];
  readonly about: string;
  /** The name of a unit of the description. */
  readonly unit: string | undefined;
  /** A difference of values: its unit's offset does not count. */
  readonly isRelative: boolean;
  readonly min: string | undefined;
  readonly max: string | undefined;
  readonly nominal: number | undefined;
  /** The enumeration of a variable of that type. */
  readonly declaredType: string | undefined;
  /** The variable whose derivative this is. */
  readonly derivativeOf: string | undefined;
}

/** A unit, by its powers of base units, and what makes base units of a number: `factor * x + offset`. */
export interface FmuUnit {
  readonly name: string;
  /** Undefined when the description does not say. */
  readonly base:
    | { readonly powers: Readonly<Record<string, number>>; readonly factor: number; readonly offset: number }
    | undefined;
}

export interface FmuEnumeration {
  readonly name: string;
  readonly items: readonly { readonly name: string; readonly value: number }[];
}

export type ClockInterval = 'constant' | 'fixed' | 'calculated' | 'tunable' | 'changing' | 'countdown' | 'triggered';

/** A clock that ticks from outside the FMU. */
export interface FmuClock {
  readonly name: string;
  readonly valueReference: number;
  readonly kind: ClockInterval;
  /** Between ticks; null when the FMU says it while it runs. */
  readonly seconds: number | null;
  /** From the start to the first tick. */
  readonly shiftSeconds: number;
  /** The lower one goes first. */
  readonly priority: number;
}

export type RunKind = 'co-simulation' | 'model exchange' | 'scheduled execution';

/** One of the ways in which an FMU can be run. */
export interface FmuInterface {
  readonly modelIdentifier: string;
  /** Whether it only talks to the program that made it, which must be installed. */
  readonly needsExecutionTool: boolean;
  readonly canHandleVariableStep: boolean;
  readonly fixedStepSeconds: number | undefined;
  readonly canSaveState: boolean;
  readonly canSerializeState: boolean;
  readonly isOnlyOncePerProcess: boolean;
  readonly hasEventMode: boolean;
  readonly needsCompletedStep: boolean;
}

export interface ModelDescription {
  /** As the file has it, such as 2.0. */
  readonly fmiVersion: string;
  readonly generation: 2 | 3;
  readonly modelName: string;
  /** With which an instance is made: `guid` of 2.0, `instantiationToken` of 3.0. */
  readonly token: string;
  readonly about: string;
  readonly tool: string;
  /** The ways in which it can be run, best first. */
  readonly ways: ReadonlyMap<RunKind, FmuInterface>;
  readonly clocks: readonly FmuClock[];
  readonly stepSeconds: number | undefined;
  readonly startSeconds: number;
  readonly stopSeconds: number | undefined;
  readonly tolerance: number | undefined;
  readonly eventIndicators: number;
  readonly units: ReadonlyMap<string, FmuUnit>;
  readonly enumerations: ReadonlyMap<string, FmuEnumeration>;
  readonly variables: readonly FmuVariable[];
  /** The derivatives of the continuous states, by name, in their order. */
  readonly derivatives: readonly string[];
}
