// A page's script that uses varwire/browser with types: compiled for browsers by the compilers that users have, never run.
import { type CustomPanel, connect, type Methods } from 'varwire/browser';

type IsSame<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const same = <A, B>(_isSame: IsSame<A, B>): void => undefined;

export async function calls(name: string): Promise<void> {
  const client = connect('http://127.0.0.1:7000/');
  const got = await client.call('var/get', { aliases: ['plant.height'], units: 'ft' });
  same<typeof got, Methods['var/get']['result']>(true);
  same<typeof got.frame, number>(true);
  const status = await client.call('sim/status');
  same<typeof status.mode, 'initialization' | 'freeze' | 'step' | 'run' | 'exit' | 'disconnected'>(true);
  await client.call('sim/control', { action: 'step', frames: 5 });
  // @ts-expect-error: there is no such action
  await client.call('sim/control', { action: 'jump' });
  // @ts-expect-error: it needs aliases
  await client.call('var/get');
  // @ts-expect-error: it has no such parameter
  await client.call('var/get', { aliases: [], alias: 'plant.height' });
  const own = await client.call<{ level: number }>('tank/level', { tank: 2 });
  same<typeof own, { level: number }>(true);
  await client.call(name, {});
}

export const panel: CustomPanel = (element, { server, onAliases }) => {
  onAliases(
    (aliases) => void server.watch(aliases, { cycleMillis: 50 }, ({ values }) => element.append(String(values[0]))),
  );
  void server.call('sim/status').then(({ name }) => element.append(name));
  return undefined;
};
