// What an FMU is and can do, and what of it does not work here.
import type { FmuClock, FmuVariable, RunKind } from './description.js';
import { type Writing, writingOf } from './leaves.js';
import { obstaclesOf } from './obstacles.js';
import { readFmu } from './parse-description.js';
import { platformsIn } from './platform.js';
import { shapesOf, walkShape } from './shapes.js';

/** A variable as it would be in the catalog. */
export interface SurveyedVariable {
  /** Below the object. */
  readonly name: string;
  readonly units: string;
  readonly type: string;
  readonly written: Writing;
  readonly start: string;
  /** The name in the FMU, where it is another one. */
  readonly inFmu: string;
  readonly about: string;
}

export interface Survey {
  readonly file: string;
  readonly modelName: string;
  readonly fmiVersion: string;
  readonly tool: string;
  readonly about: string;
  readonly stepSeconds: number | undefined;
  readonly stopSeconds: number | undefined;
  /** The ways in which it can be run, and why not here. */
  readonly ways: readonly {
    readonly kind: RunKind;
    readonly facts: readonly string[];
    readonly obstacles: readonly string[];
  }[];
  readonly platforms: readonly string[];
  readonly variables: readonly SurveyedVariable[];
  /** What does not work, as sentences. */
  readonly lacks: readonly string[];
}

/** Throws an Error with one sentence that names the file. */
export function surveyFmu(file: string): Survey {
  const fmu = readFmu(file);
  const { archive, description } = fmu;
  const { components, left } = shapesOf(description);
  const variables: SurveyedVariable[] = [];
  for (const [alias, shape] of components) {
    walkShape(shape, alias, 0, ({ variable, declared, extents }, name) => {
      variables.push({
        ...{ name, units: declared.units === '--' ? '' : declared.units, written: writingOf(variable) },
        type: variable.type + extents.map((length) => `[${length}]`).join(''),
        start: variable.start ?? '',
        inFmu: variable.name === name ? '' : variable.name,
        about: variable.about,
      });
    });
  }
  const ways = [...description.ways].map(([kind, own]) => {
    const states = `${description.derivatives.length} states and ${description.eventIndicators} event indicators`;
    const facts = [
      ...(kind === 'model exchange' ? [states] : []),
      ...(kind === 'scheduled execution' ? description.clocks.map(clockText) : []),
      ...(own.fixedStepSeconds === undefined ? [] : [`steps of ${own.fixedStepSeconds} s only`]),
      own.canSerializeState
        ? 'its state can be in checkpoints'
        : 'without checkpoints, because its state cannot be saved',
    ];
    return { kind, facts, obstacles: obstaclesOf(fmu, kind) };
  });
  const { modelName, fmiVersion, tool, about, stepSeconds, stopSeconds } = description;
  return {
    ...{ file, modelName, fmiVersion, tool, about, stepSeconds, stopSeconds, ways, variables },
    platforms: platformsIn(archive.names),
    lacks: [
      ...(ways.length === 0 ? obstaclesOf(fmu, 'co-simulation') : []),
      ...[...left].map(([{ name }, why]) => `${name} is left out: ${why}`),
      ...lostUnits(description.variables, variables),
    ],
  };
}

const clockText = ({ name, kind, seconds }: FmuClock): string =>
  kind === 'triggered'
    ? `the clock ${name}, which nothing ticks here`
    : `the clock ${name}, ${seconds === null ? 'when the FMU says' : `each ${seconds} s`}`;

/** Units that are shown as none. */
function lostUnits(all: readonly FmuVariable[], variables: readonly SurveyedVariable[]): string[] {
  const shown = new Map(variables.map((one) => [one.inFmu || one.name, one.units]));
  return all.flatMap(({ name, unit = '' }) =>
    !['', '1', '-'].includes(unit) && shown.get(name) === ''
      ? [`${name} has the unit ${unit}, of which too little is known, so it is shown without units`]
      : [],
  );
}
