// A feed: a source whose owner publishes the values.
import { expect } from 'chai';
import { Mode, Reason } from '../model/frame/header.js';
import { describe as described, double } from '../model/state/declare.js';
import { readVariable, type Value } from '../model/state/read.js';
import type { OverlayHost } from '../simulation/executive/overlay.js';
import type { Write } from '../simulation/executive/request.js';
import { type FeedObjects, FeedSource } from './feed.js';
import type { FeedOptions } from './feed-host.js';
import { type Request, RequestError } from './source.js';

/** A feed with `o.x` and, read-only for clients, `o.y`. */
function start(options: Partial<FeedOptions> = {}, overlay?: (host: OverlayHost) => void) {
  const clock = { millis: 5000 };
  let objects!: FeedObjects;
  let x!: { value: number };
  const source = new FeedSource(
    { name: 'test', frameSeconds: 0.5, ...options },
    (given) => {
      objects = given;
      const o = given.object('o');
      x = o.component('x', double({ units: 'm' }), 1);
      o.component('y', described(double(), { access: 'read-only' }));
    },
    overlay
      ? [
          (host) => {
            overlay(host);
            return {};
          },
        ]
      : [],
    () => clock.millis,
  );
  const value = (path: string): unknown => {
    const variable = source.catalog.find(path);
    return variable && readVariable(variable, source.frame.memory);
  };
  // Listens as a server does, so that each frame is delivered when it is published.
  source.onFrame(() => undefined);
  return { source, clock, x, objects, value };
}

async function refusal(source: FeedSource, request: Request): Promise<string> {
  const error = await source.submit(request).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).to.be.instanceOf(RequestError);
  return (error as Error).message;
}

const write = (path: string, value: Value): Request => ({ kind: 'write', writes: [{ path, value }] });

describe('a feed', () => {
  it('has a first frame of what was built', () => {
    const { source, value } = start();
    expect(value('o.x')).to.equal(1);
    expect(source.frame.header).to.include({ number: 1, timeTics: 0, mode: Mode.run, softwareFrameTics: 500_000 });
    expect(source.info).to.include({ name: 'test', what: 'a feed', clockLabel: 'sim_elapsed' });
  });

  it('shows what its variables hold when it is published, at the time that is said', () => {
    const { source, x, value } = start({ clock: { label: 'UTC', seconds: (t) => 100 + t } });
    const times: number[] = [];
    source.onFrame(({ timeSeconds, header }) => times.push(timeSeconds, header.clockSeconds));
    x.value = 7;
    expect(value('o.x')).to.equal(1);
    expect([source.publish(2.5), value('o.x')]).to.deep.equal([true, 7]);
    source.publish(1);
    expect(times).to.deep.equal([2.5, 102.5, 1, 101]);
    expect(source.frame.header).to.include({ frameCount: 2, tick: 2, reason: Reason.tick });
  });

  it('takes objects that come and go', () => {
    const { source, objects, value } = start();
    const late = objects.object('late').component('z', double(), 3);
    source.publish(1);
    late.value = 4;
    source.publish(2);
    expect(value('late.z')).to.equal(4);
    objects.removeObject('late');
    source.publish(3);
    expect(value('late.z')).to.equal(undefined);
  });

  it('takes names with dots, and gives an object again', async () => {
    const heard: (readonly Write[])[] = [];
    const cells: { value: number }[] = [];
    let rates!: Float64Array;
    const source = new FeedSource(
      { name: 'imu', frameSeconds: 0.5, write: (writes) => void heard.push(writes) },
      (objects) => {
        for (const name of ['imu.accel.x', 'imu.accel.y', 'imu.temperature', 'gps.fix']) {
          const [object = '', ...rest] = name.split('.');
          cells.push(objects.object(object).component(rest.join('.'), double({ units: 'm' }), cells.length));
        }
        rates = objects.object('imu.gyro').component('rates.now', double(2), [5, 6]);
        objects.object('imu.gyro').mirror('health', double(), { get: () => 1 });
      },
      [],
    );
    source.onFrame(() => undefined);
    const value = (path: string): unknown => {
      const variable = source.catalog.find(path);
      return variable && readVariable(variable, source.frame.memory);
    };
    const imu = { accel: { x: 0, y: 1 }, temperature: 2, gyro: { rates: { now: [5, 6] }, health: 1 } };
    expect([value('imu'), value('gps.fix')]).to.deep.equal([imu, 3]);
    expect(source.catalog.find('imu.accel.y')?.units).to.equal('m');
    (cells[1] as { value: number }).value = 8;
    rates[1] = 9;
    source.publish(1);
    expect([value('imu.accel.y'), value('imu.gyro.rates.now')]).to.deep.equal([8, [5, 9]]);
    await source.submit(write('imu.accel.x', 5));
    source.publish(2);
    expect([cells[0]?.value, value('imu.accel.x'), heard.length]).to.deep.equal([5, 5, 1]);
    expect(await refusal(source, write('imu.gyro.health', 5))).to.equal('imu.gyro.health is read-only');
  });

  it('takes names with indices', () => {
    const names = ['pos[1]', 'pos[0]', 'tanks[1].level', 'tanks[0].valve[0][1]', 'tanks[0].valve[1][0]', 'm[2]'];
    const cells = new Map<string, { value: number }>();
    const source = new FeedSource(
      { name: 'craft', frameSeconds: 0.5 },
      (objects) => {
        for (const [index, name] of names.entries())
          cells.set(name, objects.object('craft').component(name, double({ units: 'm' }), index));
      },
      [],
    );
    source.onFrame(() => undefined);
    const value = (path: string): unknown => {
      const variable = source.catalog.find(path);
      return variable && readVariable(variable, source.frame.memory);
    };
    const none = Number.NaN;
    expect(value('craft')).to.deep.equal({
      pos: [1, 0],
      tanks: [
        {
          level: none,
          valve: [
            [none, 3],
            [4, none],
          ],
        },
        {
          level: 2,
          valve: [
            [none, none],
            [none, none],
          ],
        },
      ],
      m: [none, none, 5],
    });
    (cells.get('tanks[1].level') as { value: number }).value = 8;
    source.publish(1);
    expect([value('craft.tanks[1].level'), source.catalog.find('craft.tanks[1].level')?.units]).to.deep.equal([8, 'm']);
  });

  it('says what is wrong with a name with dots', () => {
    const built = (build: (objects: FeedObjects) => void) => () =>
      new FeedSource({ name: 'imu', frameSeconds: 0.5 }, build, []);
    const twice = built((objects) => {
      objects.object('a').component('b.c', double());
      objects.object('a.b').component('c', double());
    });
    expect(twice).to.throw('there is a variable a.b.c already');
    const both = built((objects) => {
      objects.object('a').component('b', double());
      objects.object('a').component('b.c', double());
    });
    expect(both).to.throw('object a has a component b already');
    const deep = built((objects) => {
      objects.object('a').component('b.c', double());
      objects.object('a').component('b.c.d', double());
    });
    expect(deep).to.throw('a.b.c.d: c is a variable already');
    for (const name of ['a..b', 'a.', '.a', 'a.0'])
      expect(
        built((objects) => objects.object(name).component('c', double())),
        name,
      ).to.throw(/is named with letters/);
    const mixed = built((objects) => {
      objects.object('a').component('b[0]', double());
      objects.object('a').component('b[1].c', double());
    });
    expect(mixed).to.throw('the elements of a.b are of several types');
    const large = built((objects) => objects.object('a').component('b[99999]', double()));
    expect(large).to.throw("a.b[99999]: indices of a feed's names go up to 9999");
    const misfit = built((objects) => objects.object('a').component('b.c', double(2), [1, 2, 3] as never));
    expect(misfit).to.throw(/^a\.b\.c/);
  });

  it('takes names with dots later, too, until their structure is there', () => {
    const { source, objects, value } = start();
    objects.object('late.deep').component('z', double(), 4);
    source.publish(1);
    expect(value('late.deep.z')).to.equal(4);
    expect(() => objects.object('late').component('deep.y', double())).to.throw(
      'object late has a component deep already',
    );
    objects.removeObject('late');
    objects.object('late').component('deep.y', double(), 7);
    source.publish(2);
    expect([value('late.deep.y'), value('late.deep.z')]).to.deep.equal([7, undefined]);
  });

  it('refuses what is no time', () => {
    const { source } = start();
    for (const seconds of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1e12])
      expect(() => source.publish(seconds)).to.throw(
        RangeError,
        `a feed's time is in seconds from 0 up, not ${seconds}`,
      );
    expect(source.frame.header.number).to.equal(1);
    expect(() => start({ frameSeconds: 0 })).to.throw(
      RangeError,
      'frameSeconds is a time in seconds from 1e-6 up, not 0',
    );
  });

  const refused: readonly [Request, string][] = [
    [write('o.x', 5), 'this source cannot be written: it is a recording'],
    [{ kind: 'control', control: { action: 'freeze' } }, 'this source cannot be controlled: it is a recording'],
    [{ kind: 'call', name: 'f', values: [] }, 'this source has no functions to call: it is a recording'],
    [{ kind: 'checkpoint', file: 'a' }, 'this source has no checkpoints: it is a recording'],
    [{ kind: 'load-checkpoint', file: 'a' }, 'this source has no checkpoints: it is a recording'],
    [{ kind: 'record', control: { action: 'now' } }, 'this source cannot record: it is a recording'],
    [
      { kind: 'schedule', periodTics: 1000, hold: true },
      'this source makes no frames at times that clients choose: it is a recording',
    ],
  ];
  for (const [request, sentence] of refused) {
    it(`refuses the request ${request.kind} with one sentence`, async () => {
      const { source } = start({ what: 'a recording' });
      expect(await refusal(source, request)).to.equal(sentence);
      expect(source.frame.header.number).to.equal(1);
    });
  }

  it('makes a frame for who looks', async () => {
    const { source, x, value } = start();
    x.value = 9;
    const { frame } = await source.submit({ kind: 'look' });
    expect([frame, source.frame.header.number, value('o.x')]).to.deep.equal([2, 2, 9]);
    expect(source.frame.header).to.include({ reason: Reason.request, tick: 0 });
  });

  it('takes writes when its owner does, who hears of those that fit', async () => {
    const heard: (readonly Write[])[] = [];
    const { source, x, value } = start({ write: (writes) => void heard.push(writes) });
    await source.submit(write('o.x', 5));
    expect([x.value, value('o.x')]).to.deep.equal([5, 5]);
    expect(await refusal(source, write('o.y', 5))).to.equal('o.y is read-only');
    expect(heard).to.deep.equal([[{ path: 'o.x', value: 5 }]]);
  });

  it('tells its owner lists as long as their arrays', async () => {
    const heard: (readonly Write[])[] = [];
    const { source, value, objects } = start({ write: (writes) => void heard.push(writes) });
    objects.object('p').component('d', double([2, 2]), [
      [1, 2],
      [3, 4],
    ]);
    await source.submit({ kind: 'look' });
    await source.submit({ kind: 'write', writes: [{ path: 'p.d', value: [[5]] }], rule: 'trick' });
    const whole = [
      [5, 0],
      [0, 0],
    ];
    expect(value('p.d')).to.deep.equal(whole);
    expect(heard).to.deep.equal([[{ path: 'p.d', value: whole }]]);
  });

  it('keeps its values when its owner refuses', async () => {
    const { source, x, value } = start({
      write: () => {
        throw new RangeError('the valve is stuck');
      },
    });
    expect(await refusal(source, write('o.x', 5))).to.equal('the valve is stuck');
    expect([x.value, value('o.x')]).to.deep.equal([1, 1]);
  });

  it('shows its clockwork to overlays, which can control nothing', () => {
    let host!: OverlayHost;
    const { source, clock } = start({}, (given) => {
      host = given;
    });
    source.publish(10);
    for (let i = 1; i <= 4; i++) {
      clock.millis += 500;
      source.publish(10 + i);
    }
    const { clockwork } = host;
    expect([clockwork.timeTics, clockwork.frameCount, clockwork.mode]).to.deep.equal([14_000_000, 5, Mode.run]);
    expect(clockwork.actualRatio).to.equal(2);
    expect(host.controls).to.equal(undefined);
  });

  it('refuses to show what no overlay shows', async () => {
    const { source } = start();
    expect(await refusal(source, { kind: 'show', overlay: 'toString', value: 1 })).to.equal(
      'nothing here shows "toString"',
    );
  });

  it('shows its end, and publishes no more', () => {
    const { source } = start();
    const ends: string[] = [];
    source.onEnd((reason) => ends.push(reason));
    source.finish('no more rows');
    source.finish('again');
    expect(source.frame.header.mode).to.equal(Mode.exit);
    expect(ends).to.deep.equal(['no more rows']);
    expect([source.publish(5), source.frame.timeSeconds]).to.deep.equal([false, 0]);
  });

  it('publishes no more once it is closed', async () => {
    const { source } = start();
    await source.close();
    expect(source.publish(1)).to.equal(false);
  });

  it('hands on what its owner says', () => {
    const { source } = start();
    const said: unknown[] = [];
    source.onMessage((message) => said.push(message));
    source.publish(2);
    source.say('line 7 was cut', 'warning');
    expect(said).to.deep.equal([{ level: 'warning', text: 'line 7 was cut', timeSeconds: 2 }]);
  });
});
