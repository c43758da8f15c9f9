// Every method of every release of Bevy over real HTTP, at a server that follows that release: what it answers, with
// its exact envelope, what it does, and what it refuses. Of the releases between the first and the last, a sample.
import { expect } from 'chai';
import { serve } from '../../lib/index.js';
import { randomOf } from '../../lib/testing/aids/fuzz-seed.js';
import { SHARE } from '../../lib/testing/aids/run-counts.js';
import { endAfterFailure, ServerHere } from '../launch.js';
import { FURTHER_CASES } from './further-cases.js';
import { Inspector, type Json } from './inspector.js';
import { type Answered, type MethodCase, type Refused, type Watched, WORLD_CASES } from './method-cases.js';
import { ALL_METHODS, isBefore, METHODS, MORE_METHODS, RELEASES, type Release } from './releases.js';
import { Scene } from './scene.js';

const FLEET = new URL('./fleet.js', import.meta.url);
const OWN_METHOD = 'fleet/steer';
const chance = randomOf('methods');
const isTried = (release: Release): boolean =>
  release === RELEASES[0] || release === RELEASES.at(-1) || chance.uniform() < SHARE;
const CASES = new Map([...WORLD_CASES, ...FURTHER_CASES].flatMap((one) => one.names.map((name) => [name, one])));
const caseOf = (name: string): MethodCase => {
  const found = CASES.get(name);
  if (!found) throw new Error(`there is no case of ${name}`);
  return found;
};

const bodyOf = (method: string, params: Json | undefined, more: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', method, ...(params !== undefined && { params }), ...more });

async function answers(scene: Scene, { params, answer, shown = (result) => result, effect }: Answered): Promise<void> {
  const id = { a: [1, null] };
  const { result, ...envelope } = await scene.inspector.send(bodyOf(scene.method, params, { id }));
  expect(envelope, JSON.stringify(params)).to.deep.equal({ jsonrpc: '2.0', id });
  expect(shown(result)).to.deep.equal(answer);
  if (effect) expect(await effect.look()).to.deep.equal(effect.shows);
}

/** A refusal is told with an id, and without one as the release wants it. */
async function refuses(scene: Scene, { params, code, message }: Refused): Promise<void> {
  const latest = scene.shapes.generation === '0.19';
  for (const [more, shown] of [
    [{ id: 'x' }, { id: 'x' }],
    [{}, latest ? {} : { id: null }],
    [{ id: null }, latest ? {} : { id: null }],
  ]) {
    const { error, ...envelope } = await ask(scene, bodyOf(scene.method, params, more));
    expect(envelope).to.deep.equal({ jsonrpc: '2.0', ...shown });
    expect(error).to.have.all.keys('code', 'message');
    expect(error.code, error.message).to.equal(code);
    if (typeof message === 'string') expect(error.message).to.equal(message);
    else expect(error.message).to.match(message);
  }
}

/** The answer; of a watch its only event. */
async function ask({ inspector, method }: Scene, body: string) {
  if (!method.includes('+watch')) return inspector.send(body);
  const events = await inspector.stream(body);
  const event = await events.next();
  expect(await events.next(), 'after its error the watch is over').to.equal(undefined);
  return event;
}

async function watches(scene: Scene, { params, act, isMeant, event, shown = (result) => result }: Watched) {
  const events = await scene.watch(params);
  await act();
  let told = await events.next();
  while (!isMeant(told.result)) told = await events.next();
  events.close();
  expect(told).to.have.all.keys('jsonrpc', 'id', 'result');
  expect(shown(told.result)).to.deep.equal(event);
}

/** What is no request of a method: the rules of its release's envelope. */
async function refusesMalformed({ inspector, method, shapes }: Scene): Promise<void> {
  const [latest, id] = [shapes.generation === '0.19', 7];
  for (const [body, message] of [
    [{ jsonrpc: '1.0', method, id }, 'JSON-RPC request requires "jsonrpc": "2.0"'],
    ...(latest
      ? [[{ jsonrpc: '2.0', method, id, extra: 1 }, /^unknown field `extra`, expected one of /] as const]
      : []),
  ] as const) {
    const { error, ...envelope } = await inspector.send(JSON.stringify(body));
    expect(envelope).to.deep.equal({ jsonrpc: '2.0', id });
    expect(error.code).to.equal(-32600);
    expect(error.message).to.match(typeof message === 'string' ? new RegExp(`^${message}$`) : message);
  }
}

describe("every method of Bevy's protocol", () => {
  it('is counted as in each release', () => {
    const counts = RELEASES.map((release) => METHODS[release].length);
    expect(counts).to.deep.equal([10, 18, 18, 19, 23]);
  });

  for (const release of RELEASES) {
    const isLatest = !isBefore(release, '0.19');
    const tested = isLatest ? [...ALL_METHODS, OWN_METHOD] : [...METHODS[release], ...MORE_METHODS];
    describe(`at a server that follows ${release}:`, () => {
      at(release, (server) => server.brpPort, tested, isLatest);
    });
  }

  describe('on the main port:', () => {
    at(
      '0.19',
      (server) => server.port,
      [...ALL_METHODS, OWN_METHOD].filter((name) => name !== 'rpc.discover'),
    );
  });
});

async function saysAll(inspector: Inspector, tested: readonly string[]): Promise<void> {
  const { methods } = await inspector.call('rpc.discover');
  const said: string[] = methods.map(({ name }: { name: string }) => name);
  expect([...said].sort()).to.deep.equal([...tested].sort());
}

/** Tests methods at one server. @param isAll whether they are all that it says it has. */
function at(release: Release, portOf: (server: ServerHere) => number, methods: readonly string[], isAll = false): void {
  let server: ServerHere;
  let inspector: Inspector;
  let scene: Scene | undefined;
  const launch = async () => {
    const options = ['--no-discovery', '--brp', '0', '--brp-generation', release];
    // Older releases answer through the same threads as the latest.
    const threads = release === RELEASES.at(-1) ? { by: serve } : {};
    server = await ServerHere.start(FLEET, { options, ...threads });
    inspector = new Inspector(portOf(server));
  };
  const sceneOf = async (method: string): Promise<Scene> => {
    scene = await Scene.make(method, release, inspector);
    return scene;
  };
  before(launch);
  after(async () => {
    inspector?.close();
    await server?.stop();
  });
  afterEach(async function () {
    await scene?.close();
    scene = undefined;
    if (await endAfterFailure(this, server)) await launch();
  });

  if (isAll) it('all that it says it has are tested', () => saysAll(inspector, methods));
  for (const method of methods) {
    if (!isTried(release)) continue;
    const { answers: answered, watches: watched, refuses: refused } = caseOf(method);
    it(`${method} answers`, async () => {
      const set = await sceneOf(method);
      for (const one of answered?.(set) ?? []) await answers(set, one);
      if (watched) await watches(set, watched(set));
    });
    it(`${method} refuses`, async () => {
      const set = await sceneOf(method);
      for (const one of refused(set)) await refuses(set, one);
      if (!method.includes('+watch')) await refusesMalformed(set);
    });
  }
}
