// A program that uses the package with types: compiled by the compilers that users have, never run.
import {
  array,
  bool,
  double,
  enumeration,
  longLong,
  type RunningServer,
  serve,
  simulation,
  struct,
  text,
  vector,
} from 'varwire';
import { type Enumeration, TrickClient, type VariablesOf } from 'varwire/client';
import { DOUBLE, type Procedure } from 'varwire/krpc';
import type ball from 'varwire/sims/ball';
import { start } from 'varwire/testing';

type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_isSame: IsSame<A, B>): void => undefined;

const Tank = struct('Tank', { level: double({ units: 'kg' }), valve: enumeration('Valve', ['CLOSED', 'OPEN']) });

const plant = simulation({ name: 'plant', frameSeconds: 0.01 }, (sim) => {
  const plant = sim.object('plant').components({
    height: double({ units: 'm' }),
    position: double(3),
    inertia: double([3, 3]),
    count: longLong(),
    isOn: bool(),
    jets: bool(8),
    title: text(),
    mode: enumeration('Mode', ['IDLE', 'BURN']),
    modes: array(enumeration('Mode', ['IDLE', 'BURN']), 2),
    phase: enumeration('Phase', { UP: 3, DOWN: 7 }),
    tanks: array(Tank, 4),
    queue: vector(double(), 10),
  });
  const pump = sim.object('pump');
  const speed = pump.component('speed', double());
  sim.integrate(plant, () => ({ height: 1, position: [1, 2, 3] }), { method: 'rk4' });
  return { plant, pump: { speed } };
});
const bare = simulation({ name: 'bare', frameSeconds: 1 }, () => undefined);

export async function withDefinition(client: TrickClient<typeof plant>): Promise<void> {
  const height = await client.get('plant.height');
  const position = await client.get('plant.position');
  const count = await client.get('plant.count');
  const mode: number = await client.get('plant.mode');
  same<VariablesOf<typeof plant>['plant.mode'], Enumeration<'IDLE' | 'BURN'>>(true);
  same<typeof height, number>(true);
  same<typeof position, readonly number[]>(true);
  same<typeof count, bigint>(true);
  same<VariablesOf<typeof plant>['plant.isOn'], boolean>(true);
  same<VariablesOf<typeof plant>['plant.jets'], readonly boolean[]>(true);
  same<VariablesOf<typeof plant>['plant.inertia'], readonly number[]>(true);
  same<VariablesOf<typeof plant>['plant.title'], string>(true);
  same<VariablesOf<typeof plant>['pump.speed'], number>(true);
  const [level, element, label] = await client.get(['plant.tanks[2].level', 'plant.position[1]', 'plant.title']);
  same<typeof level, number>(true);
  same<typeof element, number>(true);
  same<typeof label, string>(true);
  const byLabel = await client.get('plant.mode', { labels: true });
  same<typeof byLabel, 'IDLE' | 'BURN' | number>(true);
  const [modes] = await client.get(['plant.modes'], { labels: true });
  same<typeof modes, readonly ('IDLE' | 'BURN' | number)[]>(true);
  const measured = await client.get('plant.height', { units: 'ft' });
  same<typeof measured.value, number>(true);
  await client.set('plant.mode', 'BURN');
  await client.set('plant.mode', mode);
  await client.set('plant.modes', ['BURN', 0]);
  await client.set('plant.tanks[0].valve', 'OPEN');
  await client.set('plant.phase', 7);
  await client.set('plant.position', [1, 2, 3], 'm');
  await client.set('plant.inertia', [
    [1, 2, 3],
    [4, 5, 6],
    [7, 8, 9],
  ]);
  await client.set('plant.count', 5);
  await client.set('plant.queue[3]', 1);
  // @ts-expect-error no such variable
  await client.get('plant.heigth');
  // @ts-expect-error no such label
  await client.set('plant.mode', 'BURNING');
  // @ts-expect-error a text is no number
  await client.set('plant.height', 'high');
  // @ts-expect-error a number is no list
  await client.set('plant.position', 3);
  // @ts-expect-error a container has no value as a whole
  await client.get('plant.queue');
  await client.get('trick_sys.sched.mode');
  for await (const { values } of client.subscribe(['plant.height', { name: 'plant.title' }])) {
    same<typeof values, readonly [number | undefined, string | undefined]>(true);
  }
  const { timeSeconds } = await client.wait(
    ['plant.height', 'plant.mode'],
    ([now, state]) => (now ?? 0) > 3 && state === 1,
  );
  same<typeof timeSeconds, number>(true);
}

export async function withExample(client: TrickClient<typeof ball>): Promise<void> {
  const velocity = await client.get('ball.velocity');
  same<typeof velocity, readonly number[]>(true);
}

export async function withNames(): Promise<void> {
  const client = await TrickClient.connect<{ 'ball.x': number; 'ball.v': readonly number[] }>({ port: 7000 });
  const [x, v] = await client.get(['ball.x', 'ball.v']);
  same<typeof x, number>(true);
  same<typeof v, readonly number[]>(true);
  await client.set('ball.v', [0, 10]);
  // @ts-expect-error no such variable
  await client.set('ball.y', 1);
}

export async function withoutTypes(client: TrickClient): Promise<void> {
  const value: unknown = await client.get('anything');
  await client.set('anything', [[1], [2]]);
  await client.wait('ball.position[1] < 2', { timeoutSeconds: 1 });
  await client.call('kick', { vx: { value: 3, units: 'km/h' }, vy: 1 });
  console.log(value, DOUBLE, await start(bare));
}

export const server: Promise<RunningServer> = serve('plant.js');
export const procedure: Procedure | undefined = undefined;
