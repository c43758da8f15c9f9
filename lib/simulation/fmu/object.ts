// Makes an FMU an object of a simulation: its variables become components, and jobs initialize and step it.
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { requireOptions } from '../../model/state/option-names.js';
import type { State } from '../../model/state/state.js';
import { FmuCells, type Placed } from './cells.js';
import type { RunKind } from './description.js';
import { FmuInstance } from './instance.js';
import type { Message } from './messages.js';
import { CoSimulation, ModelExchange, type Mover } from './movers.js';
import { obstaclesOf } from './obstacles.js';
import type { FmuHandle, FmuOptions } from './options.js';
import { type ReadFmu, readFmu } from './parse-description.js';
import { Connections, handleOf } from './ports.js';
import { addSavedState } from './saved-state.js';
import { type FmuShapes, shapesOf, walkShape } from './shapes.js';
import type { InstanceHost } from './speech.js';
import { storeStart } from './starts.js';

/** What an FMU's object needs of the simulation. */
export interface FmuHost extends InstanceHost {
  readonly state: State;
  /** Simulation time at the beginning of the present step. */
  readonly timeSeconds: number;
  /** The software frame. */
  readonly frameSeconds: number;
  addJob(periodSeconds: number, name: string, run: (deltaSeconds: number) => void): void;
  addMoment(moment: 'initialization' | 'shutdown', name: string, run: () => void): void;
  /** Ends the run. */
  end(reason: string): void;
}

const OPTIONS = Object.keys({
  isolated: true,
  kind: true,
  method: true,
  checkpoints: true,
  tolerance: true,
  periodSeconds: true,
  limitSeconds: true,
  logging: true,
} satisfies Record<keyof FmuOptions, true>);

const LIMIT_SECONDS = 10;

/** Rejects with one sentence that names the file. */
export async function addFmu(
  host: FmuHost,
  name: string,
  given: string | URL,
  options: FmuOptions = {},
): Promise<FmuHandle> {
  requireOptions(`fmu ${name}`, options, OPTIONS);
  const file = typeof given === 'string' ? resolve(given) : fileURLToPath(given);
  const fmu = readFmu(file);
  const kind = kindOf(fmu, options.kind);
  const {
    isolated = true,
    limitSeconds = LIMIT_SECONDS,
    logging = false,
    checkpoints = true,
    periodSeconds = host.frameSeconds,
  } = options;
  if (!(limitSeconds > 0 && limitSeconds < 1e6))
    throw new RangeError(`fmu ${name}: limitSeconds is a number of seconds above 0, not ${limitSeconds}`);
  const placed = place(host.state, name, shapesOf(fmu.description));
  const cells = new FmuCells(host.state.arena, placed, fmu.description.generation);
  cells.noteAll();
  const instance = new FmuInstance(
    name,
    fmu,
    cells,
    { isIsolated: isolated, kind, limitSeconds, isLogging: logging, checkpoints },
    host,
  );
  await startOf(instance);
  const mover = moverOf(instance, cells, fmu, kind, options);
  const connections = new Connections();
  const take = (reply: Message): void => {
    cells.read(reply);
    mover.begin(reply);
  };
  const initialize = (): void => {
    connections.apply();
    const { bytes, texts } = cells.write(instance.request, 0, true);
    instance.request.finish(bytes, texts);
    instance.request.seconds = host.timeSeconds;
    const reply = instance.ask('initialize');
    take(reply);
    addSavedState(host.state.object(name), savedName(placed), instance, mover, take);
  };
  const step = (deltaSeconds: number): void => {
    const reply = mover.step(host.timeSeconds, deltaSeconds);
    cells.read(reply);
    if (instance.isOver(reply)) host.end(`${name} has ended the simulation`);
  };
  host.addMoment('initialization', name, initialize);
  host.addJob(periodSeconds, name, step);
  host.addMoment('shutdown', name, () => instance.end());
  return handleOf(name, host.state.arena, placed, connections, periodSeconds);
}

function moverOf(
  instance: FmuInstance,
  cells: FmuCells,
  { description }: ReadFmu,
  kind: RunKind,
  { method = 'rkf45', tolerance = 1e-9 }: FmuOptions,
): Mover {
  if (kind !== 'model exchange') return new CoSimulation(instance, cells);
  const { derivatives, eventIndicators, ways } = description;
  return new ModelExchange(instance, cells, {
    ...{ states: derivatives.length, indicators: eventIndicators, method, tolerance },
    needsCompletedStep: ways.get(kind)?.needsCompletedStep ?? true,
  });
}

/** A name that no variable has. */
function savedName(placed: readonly Placed[]): string {
  const taken = new Set(placed.map(({ path }) => path.split(/[.[]/)[0]));
  let name = 'saved_state';
  while (taken.has(name)) name += '_';
  return name;
}

async function startOf(instance: FmuInstance): Promise<void> {
  try {
    await instance.start();
  } catch (error) {
    instance.close();
    throw error;
  }
}

function kindOf(fmu: ReadFmu, wanted: FmuOptions['kind']): RunKind {
  const [kind = 'co-simulation'] = wanted === undefined ? fmu.description.ways.keys() : [wanted];
  const [obstacle] = obstaclesOf(fmu, kind);
  if (obstacle !== undefined) throw new Error(`${fmu.archive.file} cannot run here: ${obstacle}`);
  return kind;
}

/** Makes the components, with the start values of the description. */
function place(state: State, name: string, { components }: FmuShapes): readonly Placed[] {
  const object = state.addObject(name);
  const placed: Placed[] = [];
  for (const [alias, shape] of components) {
    const view = object.component(alias, shape.declared) as object;
    const offset = state.arena.extentOf(view)?.offsetBytes as number;
    walkShape(shape, alias, offset, (leaf, path, offsetBytes) => placed.push({ leaf, path, offsetBytes }));
  }
  for (const one of placed) storeStart(state.arena.memory, one);
  return placed;
}
