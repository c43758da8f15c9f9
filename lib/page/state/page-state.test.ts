import { signal } from '@preact/signals';
import { expect } from 'chai';
import type { Server, VariableFacts } from '../data/server.js';
import { addTab, shownTab } from '../layout/changes.js';
import { EMPTY_LAYOUT } from '../layout/layout.js';
import type { PanelKind } from '../panels/panel.js';
import { SimulationControl } from './control.js';
import { PageState } from './page-state.js';
import { Kept, type KeptTexts } from './storage.js';

/** A browser's storage, which can be full. */
class Texts implements KeptTexts {
  readonly texts = new Map<string, string>();
  isFull = false;
  getItem = (key: string): string | null => this.texts.get(key) ?? null;
  removeItem = (key: string): void => void this.texts.delete(key);
  setItem(key: string, text: string): void {
    if (this.isFull) throw new Error('full');
    this.texts.set(key, text);
  }
}

const facts = (alias: string, dim: readonly number[] = []): VariableFacts => ({
  alias,
  dim,
  type_path: 'double',
  unit: 'm',
  about: '',
  access: 'read-write',
  kind: 'number',
});

/** A kind of panel that takes any number of variables, or one. */
const kind = (type: string, most: number): PanelKind =>
  ({
    type,
    name: type,
    size: { columns: 6, rows: 4 },
    settings: (given: object) => ({ aliases: [], ...given }),
    add: ({ aliases }: { aliases: string[] }, { alias, dim }: VariableFacts) =>
      dim.length > 0 || aliases.length >= most ? `${type} has no room for ${alias}` : { aliases: [...aliases, alias] },
  }) as unknown as PanelKind;

function setUp() {
  const calls: (readonly [method: string, params: object | undefined])[] = [];
  const status = signal<{ mode: string; clock_ratio?: number | null }>({ mode: 'run' });
  const server = {
    status,
    facts: async (alias: string) => facts(alias, alias.endsWith('s') ? [3] : []),
    call: async (method: string, params?: object) => {
      calls.push([method, params]);
      if (method === 'sim/load-checkpoint') throw new Error('there is no file none');
      return { file: 'chkpnt_1.00' };
    },
  } as unknown as Server;
  const painted: boolean[] = [];
  const timers: (() => void)[] = [];
  const surroundings = {
    hasToken: false,
    paint: (isDark: boolean) => void painted.push(isDark),
    after: (_: number, call: () => void) => void timers.push(call),
  };
  const state = new PageState(server, [kind('one', 1), kind('many', 9)], surroundings);
  const texts = new Texts();
  state.begin(new Kept(texts, 'ball'), undefined, undefined);
  const told = () => state.told.value.map(({ sentence }) => sentence);
  const panels = () => shownTab(state.layout.value).panels.map(({ type, settings }) => [type, settings.aliases]);
  return { state, server, texts, told, panels, painted, timers, calls, status };
}

describe('the state of the page', () => {
  it('keeps the layout per simulation, and begins with it the next time', () => {
    const { state, texts } = setUp();
    state.change((layout) => addTab(layout, 'Landing'));
    state.begin(new Kept(texts, 'cannon'), undefined, undefined);
    expect(state.layout.value).to.equal(EMPTY_LAYOUT);
    state.begin(new Kept(texts, 'ball'), EMPTY_LAYOUT, undefined);
    expect(state.layout.value.tabs.map(({ name }) => name)).to.deep.equal(['Main', 'Landing']);
  });

  it('begins with the shared layout before the kept one, and with the shipped one when what it kept is broken', () => {
    const { state, texts } = setUp();
    const shipped = addTab(EMPTY_LAYOUT, 'Shipped');
    const shared = addTab(EMPTY_LAYOUT, 'Shared');
    state.begin(new Kept(texts, 'ball'), shipped, shared);
    expect(state.layout.value).to.equal(shared);
    state.undo();
    expect(state.layout.value).to.equal(shipped);
    texts.texts.set('varwire ball layout', '{"version":9');
    state.begin(new Kept(texts, 'ball'), shipped, undefined);
    expect(state.layout.value).to.equal(shipped);
  });

  it('takes changes back and does them again', () => {
    const { state } = setUp();
    state.change((layout) => addTab(layout, 'a'));
    state.change((layout) => addTab(layout, 'b'));
    const names = () => state.layout.value.tabs.map(({ name }) => name).join();
    state.undo();
    expect(names()).to.equal('Main,a');
    state.redo();
    expect(names()).to.equal('Main,a,b');
    for (let k = 0; k < 5; k++) state.undo();
    expect(names()).to.equal('Main');
    state.change((layout) => addTab(layout, 'c'));
    state.redo();
    expect(names()).to.equal('Main,c');
  });

  it('says once when the browser keeps nothing', () => {
    const { state, texts, told } = setUp();
    texts.isFull = true;
    state.change((layout) => addTab(layout, 'a'));
    state.change((layout) => addTab(layout, 'b'));
    expect(told()).to.deep.equal(['this browser keeps nothing: its storage is full or off']);
  });

  it('puts a variable into the panel with the focus, else into a new one', async () => {
    const { state, panels } = setUp();
    await state.addVariable('a');
    await state.addVariable('b');
    expect(panels()).to.deep.equal([
      ['one', ['a']],
      ['one', ['b']],
    ]);
    state.addPanel(state.kinds.peek()[1] as PanelKind);
    await state.addVariable('c');
    await state.addVariable('d');
    expect(panels().at(-1)).to.deep.equal(['many', ['c', 'd']]);
    await state.addVariable('e', { type: 'many' });
    expect(panels().at(-1)).to.deep.equal(['many', ['e']]);
  });

  it('says why a panel does not take a variable that was dropped on it', async () => {
    const { state, panels, told } = setUp();
    await state.addVariable('a');
    await state.addVariable('b', { panel: 'panel-1' });
    expect(panels()).to.deep.equal([['one', ['a']]]);
    expect(told().at(-1)).to.equal('one has no room for b');
    await state.addVariable('positions');
    expect(told().at(-1)).to.equal('many has no room for positions');
  });

  it('offers the kinds of panels that the server has what they need for', () => {
    const { state, server } = setUp();
    const needy = { ...kind('needy', 1), isOffered: ({ status }: Server) => status.value?.mode === 'freeze' };
    const other = new PageState(server, [...state.kinds.peek(), needy], {
      hasToken: false,
      paint: () => {},
      after: () => {},
    });
    const offered = () => other.offeredKinds.map(({ type }) => type);
    expect(offered()).to.deep.equal(['one', 'many']);
    Object.assign(server, { status: signal({ mode: 'freeze' }) });
    expect(offered()).to.deep.equal(['one', 'many', 'needy']);
  });

  it('tells a sentence for a while, and at most four', () => {
    const { state, told, timers } = setUp();
    for (const sentence of ['1', '2', '3', '4', '5', '5']) state.say(sentence);
    expect(told()).to.deep.equal(['2', '3', '4', '5']);
    for (const call of timers) call();
    expect(told()).to.deep.equal([]);
  });

  it('has the colours of a theme before anybody hears of it', () => {
    const { state, painted } = setUp();
    const seen: (readonly [isDark: boolean, painted: boolean | undefined])[] = [];
    const stop = state.isDark.subscribe((isDark) => void seen.push([isDark, painted.at(-1)]));
    state.setPreference(true);
    state.setTheme('light');
    stop();
    expect(seen.slice(1)).to.deep.equal([
      [true, true],
      [false, false],
    ]);
  });
});

describe('control of the simulation', () => {
  it('does what the mode asks for, and goes through the rates', async () => {
    const { state, calls, status } = setUp();
    const control = new SimulationControl(state);
    await control.runOrFreeze();
    status.value = { mode: 'freeze' };
    await control.runOrFreeze();
    control.stepTicks.value = 5;
    await control.step();
    await control.changeRate(1);
    await control.changeRate(-1);
    expect(calls.map(([, params]) => params)).to.deep.equal([
      { action: 'freeze' },
      { action: 'run' },
      { action: 'step', frames: 5 },
      { action: 'clock_ratio', ratio: 2 },
      { action: 'clock_ratio', ratio: 1 },
    ]);
  });

  it('shows the rate that the simulation was asked for, by whomever', async () => {
    const { state, status } = setUp();
    const control = new SimulationControl(state);
    status.value = { mode: 'run', clock_ratio: 0.3 };
    expect(control.rate.value).to.equal(0.3);
    await control.changeRate(1);
    expect(control.rate.value).to.equal(0.5);
    status.value = { mode: 'run', clock_ratio: null };
    expect(control.rate.value).to.equal(0.5);
  });

  it('plays a recording from the rate that it has, and where that is all it can do', async () => {
    const { state, status, calls, server } = setUp();
    const control = new SimulationControl(state);
    Object.assign(server, { may: (ability: string) => ability === 'playback' });
    expect(control.mayPlay).to.equal(true);
    status.value = { mode: 'freeze', clock_ratio: 5 } as typeof status.value;
    await control.changeRate(1);
    expect(calls.at(-1)).to.deep.equal(['sim/control', { action: 'clock_ratio', ratio: 10 }]);
    Object.assign(server, { may: () => false });
    expect(control.mayPlay).to.equal(false);
  });

  it('tells what the server refused, and asks nothing that makes no sense', async () => {
    const { state, told, calls } = setUp();
    const control = new SimulationControl(state);
    await control.loadCheckpoint('none');
    await control.setRate(Number.NaN);
    await control.dumpCheckpoint('  ');
    expect(told()).to.deep.equal([
      'there is no file none',
      'a rate is a number above 0',
      'checkpoint chkpnt_1.00 is written',
    ]);
    expect(calls.map(([method]) => method)).to.deep.equal(['sim/load-checkpoint', 'sim/checkpoint']);
  });
});
