// Reads the variables of a model description, with the defaults of the standards.
import type { Causality, Extent, FmuType, FmuVariable, Variability } from './description.js';
import { childOf, childrenOf, type XmlElement } from './xml.js';

const TYPES_2: Readonly<Record<string, FmuType>> = {
  Real: 'Float64',
  Integer: 'Int32',
  Boolean: 'Boolean',
  String: 'String',
  Enumeration: 'Enumeration',
};
const TYPES_3 = new Set<string>([
  ...['Float64', 'Float32', 'Int8', 'UInt8', 'Int16', 'UInt16', 'Int32', 'UInt32', 'Int64', 'UInt64'],
  ...['Boolean', 'Enumeration', 'String', 'Binary', 'Clock'],
]);
const CAUSALITIES = new Set<string>([
  ...['parameter', 'calculatedParameter', 'structuralParameter', 'input', 'output', 'local', 'independent'],
]);
const VARIABILITIES = new Set<string>(['constant', 'fixed', 'tunable', 'discrete', 'continuous']);

const MOST_VARIABLES = 200_000;
const LONGEST_NAME = 4000;

type Attributes = Readonly<Record<string, string>>;

export class VariableReader {
  /** Attributes of declared types, which variables inherit. */
  private readonly types = new Map<string, Attributes>();

  constructor(
    private readonly root: XmlElement,
    private readonly generation: 2 | 3,
  ) {
    for (const type of childOf(root, 'TypeDefinitions')?.children ?? []) {
      const own = generation === 2 ? (type.children[0]?.attributes ?? {}) : type.attributes;
      this.types.set(type.attributes.name ?? '', own);
    }
  }

  read(): { variables: FmuVariable[]; derivatives: string[]; eventIndicators: number } {
    const elements = childOf(this.root, 'ModelVariables')?.children ?? [];
    if (elements.length > MOST_VARIABLES) throw new Error(`it has more than ${MOST_VARIABLES} variables`);
    const read = elements.flatMap((element) => this.variable(element) ?? []);
    const nameOf = (text: string | undefined): string | undefined => this.referred(read, text)?.name;
    // An alias of 3.0 is a variable of its own elsewhere.
    const variables = read.flatMap(({ derivative, element, ...variable }) => {
      const whole: FmuVariable = { ...variable, derivativeOf: nameOf(derivative) };
      const aliases = childrenOf(element, 'Alias').map(({ attributes: { name = '', description } }) => ({
        ...{ ...whole, name, about: description ?? whole.about },
        derivativeOf: undefined,
      }));
      return [whole, ...aliases];
    });
    const structure = childOf(this.root, 'ModelStructure');
    const states =
      this.generation === 2
        ? childrenOf(childOf(structure, 'Derivatives'), 'Unknown').map(({ attributes }) => attributes.index)
        : childrenOf(structure, 'ContinuousStateDerivative').map(({ attributes }) => attributes.valueReference);
    return {
      variables,
      derivatives: states.flatMap((text) => nameOf(text) ?? []),
      eventIndicators:
        this.generation === 2
          ? Number(this.root.attributes.numberOfEventIndicators ?? 0)
          : childrenOf(structure, 'EventIndicator').length,
    };
  }

  /** 2.0 refers to variables by their place, counted from 1, and 3.0 by value reference. */
  private referred(all: readonly FmuVariable[], text: string | undefined): FmuVariable | undefined {
    if (text === undefined) return undefined;
    const number = Number(text);
    return this.generation === 2 ? all[number - 1] : all.find(({ valueReference }) => valueReference === number);
  }

  private variable(element: XmlElement) {
    const typed = this.generation === 2 ? element.children.find(({ name }) => name in TYPES_2) : element;
    const type = this.generation === 2 ? TYPES_2[typed?.name ?? ''] : (element.name as FmuType);
    if (!typed || !type || (this.generation === 3 && !TYPES_3.has(type))) return undefined;
    const own: Attributes = { ...element.attributes, ...typed.attributes };
    const said: Attributes = { ...this.types.get(own.declaredType ?? ''), ...own };
    const { name = '', valueReference = '' } = own;
    const reference = Number(valueReference);
    if (name.length > LONGEST_NAME)
      throw new Error(`a variable's name has ${name.length} characters, and may have ${LONGEST_NAME}`);
    if (name === '' || !Number.isInteger(reference) || reference < 0 || reference > 0xffffffff)
      throw new Error(`a variable ${JSON.stringify(name)} has the value reference ${JSON.stringify(valueReference)}`);
    const causality = oneOf<Causality>(CAUSALITIES, own.causality, 'local');
    const isParameter = /arameter$/.test(causality);
    const isFloat = type === 'Float64' || type === 'Float32';
    const usual = isParameter && this.generation === 3 ? 'fixed' : isFloat ? 'continuous' : 'discrete';
    const variability = oneOf<Variability>(VARIABILITIES, own.variability, usual);
    const texts = childrenOf(typed, 'Start').map(({ attributes }) => attributes.value ?? '');
    return {
      ...{ name, valueReference: reference, type, causality, variability, element },
      initial: initialOf(own.initial, causality, variability),
      start: own.start ?? (texts.length > 0 ? texts.join(' ') : undefined),
      startTexts: texts.length > 0 ? texts : own.start === undefined ? [] : [own.start],
      extents: childrenOf(element, 'Dimension').map(({ attributes }): Extent => {
        const { start, valueReference: given } = attributes;
        return start === undefined ? { valueReference: Number(given) } : Number(start);
      }),
      about: own.description ?? '',
      unit: said.unit,
      isRelative: said.relativeQuantity === 'true',
      ...{ min: said.min, max: said.max, declaredType: own.declaredType },
      nominal: said.nominal === undefined ? undefined : Number(said.nominal),
      derivative: own.derivative,
      derivativeOf: undefined,
    } satisfies FmuVariable & { derivative: string | undefined; element: XmlElement };
  }
}

const oneOf = <T extends string>(known: ReadonlySet<string>, text: string | undefined, usual: T): T =>
  text !== undefined && known.has(text) ? (text as T) : usual;

function initialOf(text: string | undefined, causality: Causality, variability: Variability): FmuVariable['initial'] {
  if (text === 'exact' || text === 'approx' || text === 'calculated') return text;
  if (causality === 'input' || causality === 'independent') return undefined;
  return causality === 'parameter' || causality === 'structuralParameter' || variability === 'constant'
    ? 'exact'
    : 'calculated';
}
