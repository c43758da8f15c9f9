// How many commands a second a session runs: `node build/lib/protocols/trick/script/block.bench.js`.
import { startTrickFixture } from '../../../testing/aids/trick-server.js';

const COMMANDS = 1000;
const ROUNDS = 200;

/** Commands a second of a block, the fastest of several rounds. */
async function measure(what: string, makeBlock: (round: number) => string): Promise<void> {
  const fixture = await startTrickFixture();
  const client = fixture.connect();
  await fixture.ask(client, 'trick.var_pause()\n');
  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const block = makeBlock(round);
    const startMillis = performance.now();
    client.send(block);
    const answer = client.written.length > 0 ? '' : await fixture.answer(client);
    seconds.push((performance.now() - startMillis) / 1000);
    if (!`${client.taken()}${answer}`.includes(`3\t${COMMANDS}\n`))
      throw new Error(`${what}: the list is not ${COMMANDS} long`);
    await fixture.ask(client, 'trick.var_clear()\n');
  }
  seconds.sort((a, b) => a - b);
  const median = seconds[ROUNDS >> 1] ?? 0;
  console.log(
    `${what}: ${Math.round(COMMANDS / median).toLocaleString('en')} commands/s, ${(1000 * median).toFixed(2)} ms a block`,
  );
  await fixture.close();
}

const SIZE = 'trick.var_send_list_size()\n';
const adds = (name: (k: number) => string): string =>
  Array.from({ length: COMMANDS }, (_, k) => `trick.var_add("${name(k)}")\n`).join('') + SIZE;

await measure('one variable 1000 times', () => adds(() => 'fx.all.d'));
await measure('1000 elements', () => adds((k) => `fx.all.d3[${k % 3}]`));
await measure('1000 new names each time', (round) => adds((k) => `no.such.name_${round}_${k}`));
await measure('a loop', () => `for k in range(${COMMANDS}): trick.var_add("fx.all.d")\n${SIZE}`);
