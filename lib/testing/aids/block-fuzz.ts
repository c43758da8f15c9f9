// Sends randomly mutated blocks of the command language to a front-end, and checks that they change nothing.
import { expect } from 'chai';
import fc from 'fast-check';
import { sizeOf } from '../../model/state/type.js';
import { SEED_VARIABLE } from './fuzz-seed.js';
import { settle, startTrickFixture, type TrickFixture } from './trick-server.js';

/** The bytes of everything that the simulation itself declares. */
export function stateOf({ local }: TrickFixture): string {
  const { catalog, frame } = local.source;
  const [component] = catalog.object('fx')?.type.members ?? [];
  if (!component) throw new Error('fx has no component');
  return frame.memory.bytes
    .subarray(component.offsetBytes, component.offsetBytes + sizeOf(component.type))
    .toString('hex');
}

/** Lines that only read or change a session. */
const HARMLESS = [
  'trick.var_add("fx.all.i")',
  'trick.var_add("fx.all.d", "ft")',
  'trick.var_send()',
  'trick.var_send_once("fx.all.i,fx.all.d3", 2)',
  'trick.var_exists("fx.all.vd[1]")',
  'trick.var_cycle(0.1)',
  'trick.var_clear()',
  'trick.var_remove("fx.all.i")',
  'trick.var_units("fx.all.d", "m")',
  'trick.var_binary()',
  'trick.var_ascii()',
  'trick.var_sync(1)',
  'trick.var_get_stl_size("fx.all.vd")',
  'x = [1, 2.5, "a", (3,), {"k": 4}]',
  'for k in range(3): print(k, x[0])',
  'if fx.all.d > 2 and not False: y = -x[1] ** 2 % 7',
  'while False: pass',
  'def f(a, b=2): return a * b',
  'print(f(3), f"{x[1]:8.3f}", len("abc"[1:]), str(None), fx.all.d3)',
  'import math, sys; print(math.sqrt(2)); sys.stdout.write("a\\n")',
];
const JUNK = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '\\',
  '\0',
  '\n',
  '\n  ',
  '\t',
  ';',
  ':',
  ',',
  '.',
  '#',
  '$',
  'é',
  '\u{1f600}',
  '**',
  '//',
  'not',
  'in',
  '9'.repeat(40),
  '1e999',
  '-',
  '@',
  'lambda',
  '"""',
  'f"{',
];

const line = fc.constantFrom(...HARMLESS);
const mutated = fc
  .tuple(
    line,
    line,
    fc.array(fc.tuple(fc.nat(80), fc.nat(6), fc.constantFrom(...JUNK)), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([first, second, changes, isJoined]) => {
    let text = isJoined ? `${first}\n${second}` : first;
    for (const [at, length, junk] of changes) text = text.slice(0, at) + junk + text.slice(at + length);
    return `${text}\n`;
  });
const noise = fc.uint8Array({ maxLength: 200 }).map((bytes) => `${Buffer.from(bytes).toString('latin1')}\n`);
const nested = fc
  .tuple(
    fc.constantFrom('(', '[', '{', '-', 'not ', 'f(', 'x[', '{1:', '"a" + (', 'if 1:\n '),
    fc.nat(300),
    fc.nat(300),
  )
  .map(([opening, count, closing]) => `${opening.repeat(count)}1${')'.repeat(closing)}\n`);
const block = fc.oneof(
  { weight: 6, arbitrary: mutated },
  { weight: 3, arbitrary: noise },
  { weight: 1, arbitrary: nested },
);

/** A mutation may be a valid write or a command to the server; other tests cover those. */
const isWrite = (text: string): boolean => /fx[\s\S]*=|exit|var_set|exec|server|=.*fx/.test(text);

/**
 * Sends `count` blocks to one session. No block may cause an internal error, end the session or change the simulation,
 * and another session must still get its answer. Throws an error that names the seed.
 */
export async function fuzzBlocks(seed: number, count: number): Promise<void> {
  const fixture = await startTrickFixture();
  const [client, witness] = [fixture.connect(), fixture.connect()];
  const before = stateOf(fixture);
  const blocks = fc.sample(block, { numRuns: count, seed }).filter((text) => !isWrite(text));
  let last = '';
  try {
    await fixture.ask(client, 'trick.var_set_send_stdio(True)\n');
    for (const [index, text] of blocks.entries()) {
      last = text;
      client.send(text);
      expect(client.taken()).to.not.contain('internal error');
      if (index % 100 !== 99) continue;
      await settle();
      if (index % 1000 === 999) await fixture.ask(client, 'trick.var_clear()\ntrick.var_set_send_stdio(True)\n');
      expect(client.isClosed, 'whether the session is closed').to.equal(false);
    }
    await settle();
    expect(client.taken()).to.not.contain('internal error');
    expect(stateOf(fixture)).to.equal(before);
    expect(await fixture.ask(witness, 'trick.var_send_once("fx.all.i,trick_sys.sched.mode", 2)\n')).to.equal(
      '5\t5\t5\n',
    );
    client.leave();
    expect(fixture.registry.size).to.equal(1);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`after ${JSON.stringify(last)}: ${message}; again with ${SEED_VARIABLE}=${seed}`, { cause: error });
  } finally {
    await fixture.close();
  }
}
