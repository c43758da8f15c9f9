// Recordings that a simulation is compared with: their variables are below reference1, reference2 and so on, and in no frame.
import { Catalog } from '../../model/state/catalog.js';
import { type AnyDeclared, describe } from '../../model/state/declare.js';
import type { LeafValue } from '../../model/state/memory.js';
import { readValue, type Value } from '../../model/state/read.js';
import { State } from '../../model/state/state.js';
import { childrenOf, type Variable } from '../../model/state/variable.js';
import { storeValue } from '../../model/state/write.js';
import type { Column } from '../../simulation/recording/row.js';
import { componentsOf, storeNothing, type WholeComponent } from '../feed-objects.js';
import type { RecordedPast } from '../recorded-past.js';
import type { References, SourceRun } from '../source.js';
import { loadLibrariesFor } from './libraries.js';
import { openRecording } from './open.js';
import { FilePast } from './past-thread.js';
import type { Recording } from './recording.js';
import { RowInTime } from './row-in-time.js';
import { declaredAs, placed } from './variables.js';

/** Rejects with an Error with one sentence for a path that is no recording. */
export async function openReferences(paths: readonly string[]): Promise<References> {
  await loadLibrariesFor(paths);
  const opened: Recording[] = [];
  try {
    for (const path of paths) opened.push(openRecording(path));
  } catch (error) {
    for (const recording of opened) recording.close();
    throw error;
  }
  return new OpenReferences(paths, opened);
}

const READ = { about: 'of a recording', access: 'read-only' } as const;

const nameOf = (index: number): string => `reference${index + 1}`;

/** Their variables are laid out in a memory of their own; for whoever looks into a frame they lie before its beginning. */
const BEFORE_FRAMES = -(2 ** 40);

class OpenReferences implements References {
  readonly runs: readonly SourceRun[];
  readonly catalog: Catalog;
  readonly recorded: RecordedPast;
  private readonly state = new State();
  private readonly columns = new Map<string, ReturnType<Recording['origin']>>();
  private readonly places = new Map<Recording, RowInTime>();

  constructor(paths: readonly string[], opened: Recording[]) {
    this.runs = paths.map((label, index) => ({ object: nameOf(index), label, isLive: false }));
    const pasts = opened.map((recording, index) => this.add(recording, nameOf(index)));
    this.catalog = catalogOf(this.state);
    this.recorded = together(pasts, opened);
  }

  valueAt(variable: Variable, seconds: number): Value | undefined {
    const column = this.columns.get(variable.path);
    if (column) return this.leafAt(column, seconds);
    const { memory } = this.state.arena;
    for (const leaf of this.leavesIn(variable)) {
      const value = this.leafAt(this.columns.get(leaf.path) as ReturnType<Recording['origin']>, seconds);
      if (value === undefined) return undefined;
      storeValue(memory, leaf.type, leaf.offsetBytes - BEFORE_FRAMES, value);
    }
    return readValue(variable.type, memory, variable.offsetBytes - BEFORE_FRAMES);
  }

  private leafAt({ recording, column }: ReturnType<Recording['origin']>, seconds: number): LeafValue | undefined {
    const known = this.places.get(recording);
    const place = known ?? new RowInTime(recording);
    if (!known) this.places.set(recording, place);
    return place.valueAt(column, seconds);
  }

  /** Those that are in a file: arrays may have elements that are in none. */
  private *leavesIn(variable: Variable): Generator<Variable> {
    if (this.columns.has(variable.path)) yield variable;
    else for (const child of childrenOf(variable)) yield* this.leavesIn(child);
  }

  private add(recording: Recording, name: string): FilePast {
    const columns = recording.columns.filter((column) => column !== recording.time);
    const paths = new Map<string, Column>();
    let components: readonly WholeComponent[] = [];
    const lay = (isFlat: boolean): void => {
      const run = this.state.addObject(name);
      const variables = new Map<string, AnyDeclared>();
      paths.clear();
      for (const { object, component, column } of placed(columns, isFlat)) {
        const below = `${object}.${component}`;
        variables.set(below, describe(declaredAs(column.type, column.units), READ));
        paths.set(`${name}.${below}`, column);
      }
      components = componentsOf(name, variables);
      for (const { alias, declared } of components) run.component(alias, describe(declared, { access: 'read-only' }));
    };
    try {
      lay(false);
    } catch {
      // Names that are no structures together, such as a.b and a.b.c.
      this.state.removeObject(name);
      lay(true);
    }
    storeNothing(this.state.arena.memory, new Catalog(this.state.describe()), name, components);
    for (const [path, column] of paths) this.columns.set(path, recording.origin(column));
    return new FilePast(recording, paths);
  }
}

function catalogOf(state: State): Catalog {
  const description = state.describe();
  const objects = description.objects.map((object) => {
    const members = object.type.members.map((member) => ({
      ...member,
      offsetBytes: member.offsetBytes + BEFORE_FRAMES,
    }));
    return { ...object, type: { ...object.type, members } };
  });
  return new Catalog({ ...description, objects });
}

/** Several pasts of different names as one. */
function together(pasts: readonly FilePast[], opened: Recording[]): RecordedPast {
  const of = (name: string): FilePast | undefined => pasts.find((past) => past.has(name));
  return {
    seconds: Math.max(0, ...pasts.map(({ seconds }) => seconds)),
    has: (name) => of(name) !== undefined,
    extent: (name) => of(name)?.extent(name),
    prepare: async (names) => {
      await Promise.all(pasts.map((past) => past.prepare(names.filter((name) => past.has(name)))));
    },
    points: async (name, from, to, most) => (of(name) as FilePast).points(name, from, to, most),
    close: () => {
      for (const past of pasts) past.close();
      for (const recording of opened.splice(0)) recording.close();
    },
  };
}
