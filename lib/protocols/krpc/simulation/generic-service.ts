// The service VarServer: every variable by its path, in any units, and the time of the values.
import type { Frame } from '../../../model/frame/reader.js';
import { fitValue } from '../../../model/state/fit-value.js';
import type { Value } from '../../../model/state/read.js';
import { describeType, isCharacters, isLeaf, labelOf, type Type } from '../../../model/state/type.js';
import { referenceTo as knownReference } from '../../../serving/session/known-references.js';
import { toOwnUnits } from '../../../serving/session/own-units.js';
import { findBeside, type Reference, variablesOf } from '../../../serving/session/reference.js';
import { valuesIn } from '../../../serving/session/value-count.js';
import { requireFewBytes } from '../../../serving/session/written-bytes.js';
import type { Write } from '../../../source/source.js';
import {
  type Caller,
  type FrameValue,
  invalidArgument,
  invalidOperation,
  ofFrames,
  type Procedure,
  procedure,
  type Service,
} from '../service/procedure.js';
import { DOUBLE, dictionaryOf, type KrpcType, type KrpcValue, listOf, SINT32, STRING, UINT64 } from '../values/type.js';
import { partOf } from './list-part.js';

const MOST_NAMES = 10_000;
/** Most names of GetMany and SetMany. */
const MOST_AT_ONCE = 2000;
/** So many names are looked up between two turns. */
const NAMES_PER_TURN = 128;
const DOUBLES = listOf(DOUBLE);
const UNITS = { type: STRING, byDefault: '' };

const referenceTo = ({ session }: Caller, path: KrpcValue, wanted: KrpcValue): Reference =>
  knownReference(session.source, path as string, wanted === '' ? undefined : (wanted as string));

/** Throws a ServiceError for more names than one call may have. */
function requireFew(count: number): void {
  if (count > MOST_AT_ONCE)
    throw invalidArgument(
      `one call may have ${MOST_AT_ONCE} names, and this one has ${count}: a request may have many calls`,
    );
}

const noNumber = ({ alias, current }: Reference): Error =>
  invalidArgument(
    `${alias} is ${current ? describeType(current.type) : 'gone'}, which is no number: GetText or GetList reads it`,
  );

function numberIn(reference: Reference, frame: Frame): number {
  const value = present(reference, frame);
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return Number(value);
  throw noNumber(reference);
}

function present(reference: Reference, frame: Frame): Value {
  const value = reference.read(frame);
  if (value !== undefined) return value;
  throw invalidOperation(
    reference.current
      ? `${reference.alias} is not there: a pointer on the way is null or an index too large`
      : `${reference.alias} is not there any longer`,
  );
}

/** Throws, before it is read, for a variable that is not a single number. */
function requireSingle(reference: Reference): void {
  const type = reference.current?.type as Type;
  if (!isLeaf(type) || type.kind === 'text') throw noNumber(reference);
}

/** Several numbers in each frame. */
async function numbersOf(caller: Caller, paths: readonly string[], wanted: KrpcValue): Promise<FrameValue> {
  requireFew(paths.length);
  const references: Reference[] = [];
  for (const path of paths) {
    if (references.push(referenceTo(caller, path, wanted)) % NAMES_PER_TURN === 0) await caller.turn();
  }
  for (const reference of references) requireSingle(reference);
  return {
    shown: references,
    valueCount: references.length,
    read: (frame) => references.map((one) => numberIn(one, frame)),
  };
}

/** Throws for a variable that GetText does not read and SetText does not set. */
function requireText(path: string, type: Type): void {
  if (type.kind === 'text' || type.kind === 'enumeration' || isCharacters(type)) return;
  throw invalidArgument(`${path} is ${describeType(type)}, which is no text`);
}

function textIn(reference: Reference, frame: Frame): string | null {
  const value = present(reference, frame);
  const type = reference.current?.type as Type;
  return type.kind === 'enumeration' ? labelOf(type, Number(value)) : (value as string | null);
}

const READING: readonly Procedure[] = [
  procedure(
    'Get',
    'The value of a number, a truth value or an enumeration; in units, or in its own without them.',
    { alias: STRING, units: UNITS },
    {
      returns: DOUBLE,
      watch: (caller, [path = '', wanted = '']) => {
        const reference = referenceTo(caller, path, wanted);
        requireSingle(reference);
        return { shown: [reference], valueCount: 1, read: (frame) => numberIn(reference, frame) };
      },
    },
  ),
  procedure(
    'GetMany',
    'The values of several numbers, all of the same frame.',
    { aliases: listOf(STRING), units: UNITS },
    {
      returns: DOUBLES,
      watch: (caller, [paths = [], wanted = '']) => numbersOf(caller, paths as readonly string[], wanted),
    },
  ),
  procedure(
    'GetList',
    'The numbers of an array, row by row, or a part of them: count numbers from the first on.',
    { alias: STRING, units: UNITS, first: { type: SINT32, byDefault: 0 }, count: { type: SINT32, byDefault: 10_000 } },
    {
      returns: DOUBLES,
      watch: (caller, [path = '', wanted = '', first = 0, count = 0]) =>
        partOf(referenceTo(caller, path, wanted), first as number, count as number),
    },
  ),
  procedure(
    'GetText',
    'The value of a text or of characters, or the label of an enumeration; null for a null pointer.',
    { alias: STRING },
    {
      returns: STRING,
      returnsNull: true,
      watch: (caller, [path = '']) => {
        const reference = referenceTo(caller, path, '');
        requireText(reference.alias, reference.current?.type as Type);
        return { shown: [reference], valueCount: 1, read: (frame) => textIn(reference, frame) };
      },
    },
  ),
];

async function write(caller: Caller, values: Iterable<readonly [path: string, value: Value]>, wanted: KrpcValue) {
  const { session } = caller;
  const writes: Write[] = [];
  for (const [path, value] of values) {
    const variable = findBeside(session.source, path);
    const own = toOwnUnits(variable, value, wanted as string);
    const one = session.prepareWrite(path, fitValue(variable.type, own, variable.path));
    if (writes.push(one) % NAMES_PER_TURN === 0) await caller.turn();
  }
  requireFewBytes(session.source.catalog, writes);
  if (writes.length > 0) await session.submit({ kind: 'write', writes });
  return undefined;
}

const setter = (name: string, about: string, value: KrpcType): Procedure =>
  procedure(
    name,
    about,
    { alias: STRING, value, units: UNITS },
    {
      isChange: true,
      call: (caller, [path, given, wanted = '']) => write(caller, [[path as string, given as Value]], wanted),
    },
  );

const WRITING: readonly Procedure[] = [
  setter('Set', 'Sets a number, a truth value or an enumeration; the next call sees it.', DOUBLE),
  setter('SetList', 'Sets an array to as many numbers as it has.', DOUBLES),
  procedure(
    'SetText',
    'Sets a text or characters, or an enumeration by its label; null for a null pointer.',
    { alias: STRING, value: { type: STRING, isNullable: true } },
    {
      isChange: true,
      call: async (caller, [path, value = null]) => {
        requireText(path as string, findBeside(caller.session.source, path as string).type);
        return write(caller, [[path as string, value as Value]], '');
      },
    },
  ),
  procedure(
    'SetMany',
    'Sets several numbers in one tick: all of them or, when one does not fit, none.',
    { values: dictionaryOf(STRING, DOUBLE), units: UNITS },
    {
      isChange: true,
      call: (caller, [values, wanted = '']) => {
        const given = values as ReadonlyMap<string, number>;
        requireFew(given.size);
        return write(caller, given, wanted);
      },
    },
  ),
];

const property = (name: string, about: string, returns: KrpcType, read: FrameValue['read']): Procedure =>
  procedure(`get_${name}`, about, {}, { returns, watch: () => ofFrames(read) });

const TIMES: readonly Procedure[] = [
  property('SimTime', 'The simulation time of a frame by its clock, in seconds.', DOUBLE, (f) => f.header.clockSeconds),
  property('ElapsedTime', 'Simulation time since the start, in seconds.', DOUBLE, (frame) => frame.timeSeconds),
  property('FrameNumber', 'The number of a frame, from 1.', UINT64, ({ header }) => header.number),
  procedure(
    'get_ClockLabel',
    'What the clock counts, such as sim_elapsed or TAI.',
    {},
    { returns: STRING, call: ({ session }) => session.source.info.clockLabel },
  ),
];

const NAMES: readonly Procedure[] = [
  procedure(
    'List',
    `Names of variables below a prefix, at most ${MOST_NAMES}; those after a name, to go on.`,
    {
      prefix: { type: STRING, byDefault: '' },
      after: { type: STRING, byDefault: '' },
      limit: { type: SINT32, byDefault: 1000 },
    },
    {
      returns: listOf(STRING),
      call: (caller, [prefix = '', after = '', limit = 0]) =>
        namesIn(caller, prefix as string, after as string, limit as number),
    },
  ),
  procedure(
    'Describe',
    'What a variable is: its type, units, description and access.',
    { alias: STRING },
    {
      returns: dictionaryOf(STRING, STRING),
      call: ({ session }, [alias]) => {
        const { path, type, units, about, access } = findBeside(session.source, alias as string);
        const facts = { path, type: describeType(type), units, about, access, values: `${valuesIn(type)}` };
        return new Map(Object.entries(facts));
      },
    },
  ),
];

async function namesIn({ session, turn }: Caller, prefix: string, after: string, limit: number): Promise<string[]> {
  if (limit < 1 || limit > MOST_NAMES) throw invalidArgument(`limit is a number from 1 to ${MOST_NAMES}, not ${limit}`);
  const names: string[] = [];
  for (const { path } of variablesOf(session.source, prefix || undefined, after || undefined)) {
    if (names.push(path) === limit) break;
    if (names.length % NAMES_PER_TURN === 0) await turn();
  }
  return names;
}

/** @param version the version of varwire. */
export const genericService = (version: string): Service => ({
  name: 'VarServer',
  about: 'Every variable of the simulation by its path.',
  procedures: [
    ...READING,
    ...WRITING,
    ...TIMES,
    ...NAMES,
    procedure('get_Version', 'The version of varwire.', {}, { returns: STRING, call: () => version }),
  ],
  classes: [],
  enumerations: [],
  exceptions: [],
});
