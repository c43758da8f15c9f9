// A session: its requests, what its next read shows, and its writes.
import { expect } from 'chai';
import { AssignmentError } from '../../model/state/assign.js';
import type { Value } from '../../model/state/read.js';
import { UnitsError } from '../../model/units/index.js';
import { ManualClock } from '../../testing/aids/manual-clock.js';
import { ManualSource } from '../../testing/aids/session-fixture.js';
import { UnknownVariableError } from './errors.js';
import { SessionRegistry } from './registry.js';

const FACTS = { frontEnd: 'test', peer: '127.0.0.1:1', transport: 'tcp' };
const SINK = { write: () => true, pendingBytes: 0 };

function setUp() {
  const source = new ManualSource();
  const registry = new SessionRegistry(source, new ManualClock());
  return { source, registry, session: registry.create(FACTS, SINK) };
}

/** Whether a promise is still pending after everything that can run has run. */
async function isPending(promise: Promise<unknown> | undefined): Promise<boolean> {
  const pending = Symbol('pending');
  const soon = new Promise((resolve) => setImmediate(resolve, pending));
  return (await Promise.race([promise, soon])) === pending;
}

const request = (value: number) => ({ kind: 'write', writes: [{ path: 'ball.body.count', value }] }) as const;

describe('a session', () => {
  it('that has asked for nothing has nothing to wait for', () => {
    expect(setUp().session.settled).to.equal(undefined);
  });

  it('passes requests on in order and gives their answers', async () => {
    const { session, source } = setUp();
    const answers = [session.submit(request(1)), session.submit(request(2))];
    expect(source.waiting.map((one) => one.request)).to.deep.equal([request(1), request(2)]);
    source.waiting[0]?.answer({ frame: 5 });
    source.waiting[1]?.answer({ frame: 6, value: 3 });
    expect(await Promise.all(answers)).to.deep.equal([{ frame: 5 }, { frame: 6, value: 3 }]);
  });

  it('says who asks to change memory that others may have declared', () => {
    const { session, source } = setUp();
    session.submit({ kind: 'resize', what: 'h', extents: [2] });
    session.submit({ kind: 'delete-memory', what: 'h' });
    session.submit({ kind: 'name-memory', address: 64, declaration: 'double h' });
    expect(source.waiting.map((one) => 'by' in one.request && one.request.by)).to.deep.equal(
      Array(3).fill({ address: '127.0.0.1', session: session.id }),
    );
  });

  it('reads only when a frame shows all that it has asked for', async () => {
    const { session, source } = setUp();
    session.submit(request(1));
    session.submit(request(2));
    const { settled } = session;
    source.waiting[0]?.answer({ frame: 5 });
    expect(await isPending(settled)).to.equal(true);
    expect(session.settled).to.not.equal(undefined);
    source.waiting[1]?.answer({ frame: 6 });
    expect(await isPending(settled)).to.equal(false);
    expect(session.settled).to.equal(undefined);
  });

  it('keeps nothing of the requests that have been answered', async () => {
    const { session, source } = setUp();
    for (let count = 0; count < 3; count++) session.submit(request(count));
    const { settled } = session;
    for (const one of source.waiting) one.answer({ frame: 5 });
    expect(await settled).to.equal(undefined);
  });

  it('waits for an older request although a newer one has been refused already', async () => {
    const { session, source } = setUp();
    session.submit(request(1));
    session.submit(request(2)).catch(() => {});
    source.waiting[1]?.refuse(new Error('refused'));
    expect(await isPending(session.settled)).to.equal(true);
    source.waiting[0]?.answer({ frame: 5 });
    expect(await isPending(session.settled)).to.equal(false);
    expect(session.settled).to.equal(undefined);
  });

  it('does not hold up other sessions', () => {
    const { session, registry } = setUp();
    const other = registry.create(FACTS, SINK);
    session.submit(request(1));
    expect(other.settled).to.equal(undefined);
  });

  it('settles on a refusal, which its caller hears', async () => {
    const { session, source } = setUp();
    const answer = session.submit(request(1));
    source.waiting[0]?.refuse(new Error('no such thing'));
    await session.settled;
    expect(await answer.catch((error: Error) => error.message)).to.equal('no such thing');
    expect(session.settled).to.equal(undefined);
  });
});

describe('a write prepared by a session', () => {
  const PREPARED: readonly [string, Value, string | undefined, Value][] = [
    ['position[1]', 10, 'ft', 3.048],
    ['position', [1, 2, 3], 'km', [1000, 2000, 3000]],
    ['position[0]', 2.5, undefined, 2.5],
    ['position[0]', 2.5, 'm', 2.5],
    ['position[0]', 2.5, 'xx', 2.5],
    ['position[0]', 2.5, '--', 2.5],
    // Trick prints it with 16 digits: 26.85000000000002
    ['temperature', 300, 'K', 26.850000000000023],
    ['temperature', 32, 'degF', 3.552713678800501e-14],
    ['steps', 3, 'ft', 0],
    ['steps', 10n, 'km', 10000],
    ['count', 7, '1', 7],
    ['name', 'Orion', undefined, 'Orion'],
  ];
  for (const [name, value, units, prepared] of PREPARED) {
    it(`holds for ${name} = ${value} ${units ?? ''} the value ${prepared}`, () => {
      const { session, source } = setUp();
      const write = session.prepareWrite(` ball.body.${name}`, value, units);
      const catalogVersion = source.catalog.version;
      expect(write).to.deep.equal({ path: `ball.body.${name}`, value: prepared, catalogVersion });
    });
  }

  it('is refused for an unknown variable, with the nearest ones', () => {
    const { session } = setUp();
    expect(() => session.prepareWrite('ball.body.positon', 1))
      .to.throw(UnknownVariableError, 'ball.body has no member positon; did you mean ball.body.position?')
      .with.deep.property('nearest', ['ball.body.position']);
  });

  it('is refused for units that do not convert or mean nothing', () => {
    const { session } = setUp();
    expect(() => session.prepareWrite('ball.body.position[0]', 1, 'kg')).to.throw(UnitsError);
    expect(() => session.prepareWrite('ball.body.position[0]', 1, 'nonsense')).to.throw(UnitsError);
    expect(() => session.prepareWrite('ball.body.count', 1, 'm')).to.throw(UnitsError);
  });

  it('is refused for a value that does not fit', () => {
    const { session } = setUp();
    expect(() => session.prepareWrite('ball.body.count', 'x')).to.throw(
      AssignmentError,
      'ball.body.count is an int; the text "x" does not fit',
    );
    expect(() => session.prepareWrite('ball.body.serial', 1)).to.throw(
      AssignmentError,
      'ball.body.serial is read-only',
    );
    expect(() => session.prepareWrite('ball.body.name', 'x', 'ft')).to.throw(
      AssignmentError,
      'ball.body.name was given units, which apply to numbers only',
    );
    expect(() => session.prepareWrite('ball.body.position', [1, 'x'], 'ft')).to.throw(AssignmentError);
  });
});

describe('the registry of sessions', () => {
  it('knows the open ones by numbers of their own', () => {
    const { registry, session } = setUp();
    const other = registry.create(FACTS, SINK);
    expect([...registry.sessions]).to.deep.equal([session, other]);
    expect(other.id).to.not.equal(session.id);
    session.close();
    session.close();
    expect([registry.size, ...registry.sessions]).to.deep.equal([1, other]);
    expect(registry.create(FACTS, SINK).id).to.not.equal(session.id);
  });
});
