// Reads a modelDescription.xml of FMI 2.0 or 3.0. What real files have wrong without harm is taken as it is.
import { type FmuArchive, openArchive } from './archive.js';
import type {
  ClockInterval,
  FmuClock,
  FmuEnumeration,
  FmuInterface,
  FmuUnit,
  ModelDescription,
  RunKind,
} from './description.js';
import { VariableReader } from './parse-variables.js';
import { childOf, childrenOf, parseXml, type XmlElement } from './xml.js';

/** An FMU's file, and what it says of itself. */
export interface ReadFmu {
  readonly archive: FmuArchive;
  readonly description: ModelDescription;
}

/** Throws an Error with one sentence that names the file. */
export function readFmu(file: string): ReadFmu {
  const archive = openArchive(file);
  try {
    return { archive, description: parseDescription(archive.description) };
  } catch (error) {
    throw new Error(`${file}: modelDescription.xml cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Best first. */
const WAYS: readonly (readonly [RunKind, string])[] = [
  ['co-simulation', 'CoSimulation'],
  ['model exchange', 'ModelExchange'],
  ['scheduled execution', 'ScheduledExecution'],
];

/** Throws an Error that says what is wrong. */
export function parseDescription(bytes: Uint8Array): ModelDescription {
  const root = parseXml(bytes);
  if (root.name !== 'fmiModelDescription') throw new Error(`it begins with ${root.name}, not fmiModelDescription`);
  const { fmiVersion = '', modelName = '', description = '', generationTool = '' } = root.attributes;
  const generation = fmiVersion.startsWith('2.') ? 2 : fmiVersion.startsWith('3.') ? 3 : undefined;
  if (!generation) throw new Error(`it is of FMI ${fmiVersion || 'without a version'}, and only 2.0 and 3.0 are known`);
  const experiment = childOf(root, 'DefaultExperiment')?.attributes ?? {};
  const { variables, derivatives, eventIndicators } = new VariableReader(root, generation).read();
  return {
    fmiVersion,
    generation,
    modelName,
    token: root.attributes[generation === 2 ? 'guid' : 'instantiationToken'] ?? '',
    about: description,
    tool: generationTool,
    ways: new Map(
      WAYS.flatMap(([kind, name]) => {
        const element = childOf(root, name);
        return element ? [[kind, interfaceOf(element)]] : [];
      }),
    ),
    clocks: clocksOf(root),
    stepSeconds: positive(experiment.stepSize),
    startSeconds: Number(experiment.startTime ?? 0) || 0,
    stopSeconds: positive(experiment.stopTime),
    tolerance: positive(experiment.tolerance),
    eventIndicators,
    units: unitsOf(root),
    enumerations: enumerationsOf(root),
    variables,
    derivatives,
  };
}

function positive(text: string | undefined): number | undefined {
  const number = Number(text);
  return number > 0 && Number.isFinite(number) ? number : undefined;
}

const isTrue = (text: string | undefined): boolean => text === 'true' || text === '1';

function interfaceOf(element: XmlElement): FmuInterface {
  const { attributes: said } = element;
  const either = (...names: readonly string[]) => names.some((name) => isTrue(said[name]));
  return {
    modelIdentifier: said.modelIdentifier ?? '',
    needsExecutionTool: isTrue(said.needsExecutionTool),
    canHandleVariableStep: isTrue(said.canHandleVariableCommunicationStepSize),
    fixedStepSeconds: positive(said.fixedInternalStepSize),
    canSaveState: either('canGetAndSetFMUstate', 'canGetAndSetFMUState'),
    canSerializeState: either('canSerializeFMUstate', 'canSerializeFMUState'),
    isOnlyOncePerProcess: isTrue(said.canBeInstantiatedOnlyOncePerProcess),
    hasEventMode: isTrue(said.hasEventMode),
    needsCompletedStep:
      !isTrue(said.completedIntegratorStepNotNeeded) &&
      !['false', '0'].includes(said.needsCompletedIntegratorStep ?? ''),
  };
}

const LAST_PRIORITY = 2 ** 32;

function clocksOf(root: XmlElement): FmuClock[] {
  const clocks = childrenOf(childOf(root, 'ModelVariables'), 'Clock').filter(
    ({ attributes }) => attributes.causality === 'input',
  );
  return clocks.map(({ attributes: said }) => {
    const ratio = (counter: string | undefined): number => Number(counter) / Number(said.resolution ?? 1);
    const seconds = positive(said.intervalDecimal) ?? positive(String(ratio(said.intervalCounter)));
    return {
      name: said.name ?? '',
      valueReference: Number(said.valueReference),
      kind: (said.intervalVariability ?? 'triggered') as ClockInterval,
      seconds: seconds ?? null,
      shiftSeconds: positive(said.shiftDecimal) ?? positive(String(ratio(said.shiftCounter))) ?? 0,
      priority: Number(said.priority ?? LAST_PRIORITY),
    };
  });
}

function unitsOf(root: XmlElement): ReadonlyMap<string, FmuUnit> {
  const units = childrenOf(childOf(root, 'UnitDefinitions'), 'Unit').map((unit): [string, FmuUnit] => {
    const { name = '' } = unit.attributes;
    const base = childOf(unit, 'BaseUnit')?.attributes;
    if (!base) return [name, { name, base: undefined }];
    const { factor = '1', offset = '0', ...others } = base;
    const powers = Object.entries(others).map(([symbol, power]) => [symbol, Number(power)] as const);
    const known = Object.fromEntries(powers.filter(([, power]) => Number.isInteger(power) && power !== 0));
    return [name, { name, base: { powers: known, factor: Number(factor), offset: Number(offset) } }];
  });
  return new Map(units);
}

/** Types are declared below their kind in 2.0, `<SimpleType name><Enumeration>`, and by it in 3.0. */
function enumerationsOf(root: XmlElement): ReadonlyMap<string, FmuEnumeration> {
  const found = new Map<string, FmuEnumeration>();
  for (const type of childOf(root, 'TypeDefinitions')?.children ?? []) {
    const { name = '' } = type.attributes;
    const enumeration = type.name === 'EnumerationType' ? type : childOf(type, 'Enumeration');
    if (!enumeration) continue;
    const items = childrenOf(enumeration, 'Item').map(({ attributes }, index) => ({
      name: attributes.name ?? '',
      value: Number(attributes.value ?? index + 1),
    }));
    found.set(name, { name, items });
  }
  return found;
}
