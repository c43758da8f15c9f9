// The types that a variable can have: plain data that can be sent to other threads, with the size and Trick code of
// each.

/** C's arithmetic types by their C names. Trick: include/trick/parameter_types.h */
export type NumberName =
  | 'char'
  | 'unsigned char'
  | 'short'
  | 'unsigned short'
  | 'int'
  | 'unsigned int'
  | 'long'
  | 'unsigned long'
  | 'long long'
  | 'unsigned long long'
  | 'float'
  | 'double'
  | 'bool'
  | 'wchar_t';

export interface NumberType {
  readonly kind: 'number';
  readonly name: NumberName;
  /** The least and the greatest number that initial values and clients may give it. */
  readonly min?: number;
  readonly max?: number;
}

/** An integer of a few bits; it has a 4-byte cell of its own, as Trick sends it. */
export interface BitsType {
  readonly kind: 'bits';
  readonly widthBits: number;
  readonly isSigned: boolean;
  /** The C type of its declaration, as resource files show it. */
  readonly declaredAs: NumberName;
}

export interface EnumerationType {
  readonly kind: 'enumeration';
  readonly name: string;
  readonly labels: Readonly<Record<string, number>>;
  /** The integer that holds it, if not an int: `enum class Mode : unsigned char`. */
  readonly storedAs?: EnumerationCell;
  /** Whether simulation code reads it as a label instead of as a number. */
  readonly isByLabel?: true;
}

export type EnumerationCell = 'char' | 'unsigned char' | 'short' | 'unsigned short' | 'int';

/** The integer that holds an enumeration. */
export const cellOf = ({ storedAs = 'int' }: EnumerationType): EnumerationCell => storedAs;

/** The label of an enumeration's number; the number as text when it has none. */
export function labelOf({ labels }: EnumerationType, value: number): string {
  for (const label of Object.keys(labels)) if (labels[label] === value) return label;
  return `${value}`;
}

/** Text of any length up to its capacity: std::string and std::wstring, or char* and wchar_t* (which may be null). */
export interface TextType {
  readonly kind: 'text';
  readonly form: 'string' | 'wide string' | 'char pointer' | 'wide pointer';
  /** Bytes of its UTF-8 form, also when its characters are wide. */
  readonly capacityBytes: number;
}

/** Whether a text may be null. */
export const isNullableText = (type: Type): boolean => type.kind === 'text' && type.form.endsWith('pointer');

/** Whether the characters of a text are wchar_t. */
export const isWideText = ({ form }: TextType): boolean => form.startsWith('wide');

export interface ArrayType {
  readonly kind: 'array';
  readonly element: Type;
  readonly length: number;
  /** True for std::array: fixed like an array, but it answers a size query as a container does. */
  readonly isContainer: boolean;
}

export interface SequenceType {
  readonly kind: 'sequence';
  readonly container: 'vector' | 'deque' | 'list' | 'set' | 'map';
  /** The type of the elements; for a map, pairs of keys and values. */
  readonly element: Type;
  readonly capacity: number;
}

/** A pointer to one or more values elsewhere in the arena; null points at nothing. */
export interface PointerType {
  readonly kind: 'pointer';
  readonly target: Type;
}

export interface StructType {
  readonly kind: 'struct';
  readonly name: string;
  readonly members: readonly Member[];
  readonly sizeBytes: number;
  readonly alignBytes: number;
  /** Whether it is a std::pair of `first` and `second`. */
  readonly isPair?: true;
}

export type Type =
  | NumberType
  | BitsType
  | EnumerationType
  | TextType
  | ArrayType
  | SequenceType
  | PointerType
  | StructType;

/** A type that holds one value and no further members or elements. */
export type LeafType = NumberType | BitsType | EnumerationType | TextType;

export type Access = 'read-write' | 'read-only' | 'write-only';

/**
 * What checkpoints do with a variable, in Trick's spelling: `*io` saves and restores, `*i` clears it on loading, `*o`
 * only shows it, `**` leaves it alone. Trick: trick_chkpnt_io
 */
export type CheckpointIo = '*io' | '*i' | '*o' | '**';

export interface Member {
  readonly name: string;
  readonly type: Type;
  /** Offset from the start of the struct that contains the member. */
  readonly offsetBytes: number;
  /** UDUNITS text; `--` or `1` for none. */
  readonly units: string;
  readonly about: string;
  readonly access: Access;
  /** Left out for `*io`. */
  readonly checkpointIo?: CheckpointIo;
  /** Whether it becomes read-only when the initialization has ended. */
  readonly fixed?: boolean;
  /** For a component: the name under which its type was registered, when it differs from the type's own name. */
  readonly typeName?: string;
}

interface NumberFacts {
  readonly code: number;
  readonly sizeBytes: number;
  readonly family: 'integer' | 'big integer' | 'floating' | 'bool';
  readonly isSigned: boolean;
}

const facts = (code: number, sizeBytes: number, family: NumberFacts['family'], isSigned: boolean): NumberFacts => ({
  code,
  sizeBytes,
  family,
  isSigned,
});

/** Trick's code, size in bytes and arithmetic family of each number type. Trick: TRICK_TYPE */
export const NUMBER_FACTS: Readonly<Record<NumberName, NumberFacts>> = {
  char: facts(1, 1, 'integer', true),
  'unsigned char': facts(2, 1, 'integer', false),
  short: facts(4, 2, 'integer', true),
  'unsigned short': facts(5, 2, 'integer', false),
  int: facts(6, 4, 'integer', true),
  'unsigned int': facts(7, 4, 'integer', false),
  long: facts(8, 8, 'big integer', true),
  'unsigned long': facts(9, 8, 'big integer', false),
  float: facts(10, 4, 'floating', true),
  double: facts(11, 8, 'floating', true),
  'long long': facts(14, 8, 'big integer', true),
  'unsigned long long': facts(15, 8, 'big integer', false),
  bool: facts(17, 1, 'bool', false),
  wchar_t: facts(18, 4, 'integer', true),
};

/** The type code on the wire of a reference to an unknown variable. Trick: TRICK_NUMBER_OF_TYPES */
export const TRICK_NONE = 25;

/** Trick's type code for a value of this type; an array or pointer has the code of its elements. Trick: TRICK_TYPE */
export function trickCodeOf(type: Type): number {
  switch (type.kind) {
    case 'number':
      return NUMBER_FACTS[type.name].code;
    case 'bits':
      return type.isSigned ? 12 : 13;
    case 'enumeration':
      return 21;
    case 'text':
      return isWideText(type) ? 19 : 3;
    case 'array':
      return type.isContainer ? 24 : trickCodeOf(type.element);
    case 'sequence':
      return 24;
    case 'pointer':
      return trickCodeOf(type.target);
    case 'struct':
      return type.isPair ? 24 : 22;
  }
}

/** Bytes before the characters of a text (its length) and before the elements of a sequence. */
export const TEXT_HEADER_BYTES = 4;
export const SEQUENCE_HEADER_BYTES = 8;
/** Marks a null text or pointer in the arena. */
export const NULL_TEXT = 0xffffffff;
export const NULL_OFFSET = 0;

export const roundUp = (value: number, multiple: number): number => Math.ceil(value / multiple) * multiple;

export function sizeOf(type: Type): number {
  switch (type.kind) {
    case 'number':
      return NUMBER_FACTS[type.name].sizeBytes;
    case 'bits':
      return 4;
    case 'enumeration':
      return NUMBER_FACTS[cellOf(type)].sizeBytes;
    case 'text':
      return roundUp(TEXT_HEADER_BYTES + type.capacityBytes + 1, 4);
    case 'array':
      return strideOf(type.element) * type.length;
    case 'sequence':
      return SEQUENCE_HEADER_BYTES + strideOf(type.element) * type.capacity;
    case 'pointer':
      return 8;
    case 'struct':
      return type.sizeBytes;
  }
}

export function alignOf(type: Type): number {
  switch (type.kind) {
    case 'number':
    case 'enumeration':
      return sizeOf(type);
    case 'array':
      return alignOf(type.element);
    case 'sequence':
      return Math.max(8, alignOf(type.element));
    case 'struct':
      return type.alignBytes;
    case 'bits':
    case 'text':
    case 'pointer':
      return 4;
  }
}

/** Distance from one element of an array to the next. */
export const strideOf = (element: Type): number => roundUp(sizeOf(element), alignOf(element));

/** Two declarations of one number are one type, also behind pointers; structures are told apart by their identity. */
export function isSameType(one: Type, other: Type): boolean {
  if (one === other) return true;
  if (one.kind === 'pointer' && other.kind === 'pointer') return isSameType(one.target, other.target);
  return one.kind === 'number' && other.kind === 'number' && one.name === other.name;
}

export const isLeaf = (type: Type): type is LeafType =>
  type.kind === 'number' || type.kind === 'bits' || type.kind === 'enumeration' || type.kind === 'text';

/** An array of char or wchar_t. */
export type Characters = ArrayType & { readonly element: NumberType };

/** Whether a type is an array of characters, such as `char name[16]`, which every reader treats as text. */
export const isCharacters = (type: Type): type is Characters =>
  type.kind === 'array' && !type.isContainer && type.element.kind === 'number' && isCharacter(type.element);

const isCharacter = ({ name }: NumberType): boolean => name === 'char' || name === 'wchar_t';

const TEXT_NAMES: Readonly<Record<TextType['form'], string>> = {
  string: 'std::string',
  'wide string': 'std::wstring',
  'char pointer': 'char',
  'wide pointer': 'wchar_t',
};

/** The type in C's spelling, without its dimensions. */
export function cNameOf(type: Type): string {
  switch (type.kind) {
    case 'number':
      return type.name;
    case 'bits':
      return type.declaredAs;
    case 'enumeration':
    case 'struct':
      return type.name;
    case 'text':
      return TEXT_NAMES[type.form];
    case 'array':
      return type.isContainer ? `std::array<${cNameOf(type.element)}, ${type.length}>` : cNameOf(type.element);
    case 'sequence':
      return `std::${type.container}<${elementNames(type)}>`;
    case 'pointer':
      return cNameOf(type.target);
  }
}

function elementNames({ container, element }: SequenceType): string {
  if (container !== 'map') return cNameOf(element);
  return (element as StructType).members.map(({ type }) => cNameOf(type)).join(', ');
}

/** The extents of nested plain arrays, outermost first, and the type of their elements; a pointer has extent 0. */
export function shapeOf(type: Type): { readonly extents: readonly number[]; readonly element: Type } {
  const extents: number[] = [];
  let element = type;
  while ((element.kind === 'array' && !element.isContainer) || element.kind === 'pointer') {
    extents.push(element.kind === 'array' ? element.length : 0);
    element = element.kind === 'array' ? element.element : element.target;
  }
  if (isNullableText(element)) extents.push(0);
  return { extents, element };
}

/** The type with its extents, for sentences: `double[2][3]`. */
export function describeType(type: Type): string {
  const { extents, element } = shapeOf(type);
  return cNameOf(element) + extents.map((extent) => (extent === 0 ? '*' : `[${extent}]`)).join('');
}

/** Lays members out one after another as C does. */
export function structType(name: string, members: readonly Omit<Member, 'offsetBytes'>[]): StructType {
  let end = 0;
  let alignBytes = 1;
  const placed = members.map((member) => {
    const align = alignOf(member.type);
    const offsetBytes = roundUp(end, align);
    end = offsetBytes + sizeOf(member.type);
    alignBytes = Math.max(alignBytes, align);
    return { ...member, offsetBytes };
  });
  return { kind: 'struct', name, members: placed, sizeBytes: roundUp(end, alignBytes), alignBytes };
}

const memberIndexes = new WeakMap<StructType, ReadonlyMap<string, Member>>();

export function findMember(type: StructType, name: string): Member | undefined {
  let index = memberIndexes.get(type);
  if (!index) {
    index = new Map(type.members.map((member) => [member.name, member]));
    memberIndexes.set(type, index);
  }
  return index.get(name);
}
