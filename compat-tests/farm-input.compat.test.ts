// A Trick input file on a farm: workers get it, and what it reads, and make the same table as one machine.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { monteCarlo } from '../lib/index.js';
import { FarmHere, type StudyHere } from './farm-here.js';
import { NatsServer } from './nats-server.js';

const PAGE = new URL('../../docs/many-machines.md', import.meta.url);
const CANNON = fileURLToPath(new URL('../sims/cannon.js', import.meta.url));
const INPUT = 'RUN_test/input.py';
/** It reads what the runs alone read, too, and asks for what is not there. */
const FILES = {
  [INPUT]: `import os
exec(open("Modified_data/common.py").read())
trick.mc_set_enabled(1)
trick.mc_set_num_runs(5)
trick_mc.mc.add_variable(trick.MonteVarFile("dyn.cannon.init_speed", "RUN_test/speeds", 2))
trick_mc.mc.add_variable(trick.MonteVarExecCode("Modified_data/each.py"))
if trick.mc_is_slave():
    exec(open("Modified_data/slave.py").read())
if os.path.exists("Modified_data/nosuch.py"):
    dyn.cannon.init_speed = 1
`,
  'RUN_test/speeds': 'a 50\nb 60\nc 70\nd 80\ne 90\n',
  'Modified_data/common.py': 'trick.stop(0.5)\n',
  'Modified_data/each.py': 'dyn.cannon.init_angle = 0.3\n',
  'Modified_data/slave.py': 'dyn.cannon.pos0[0] = 2\n',
};
const ASKED = { inputFile: INPUT, read: ['dyn.cannon.pos'] } as const;

describe('an input file on a farm', () => {
  const directory = process.cwd();
  let farm: FarmHere;
  before(async function () {
    NatsServer.skipWithout(this);
    // Of viewers, operators, studies and workers.
    const [, configuration = ''] = /^```hocon\n(.*?)^jetstream /ms.exec(readFileSync(PAGE, 'utf8')) ?? [];
    farm = await FarmHere.start(configuration);
    process.chdir(farm.directory);
    for (const name of ['RUN_test', 'Modified_data']) mkdirSync(name);
    for (const [name, text] of Object.entries(FILES)) writeFileSync(name, text);
  });
  const urlOf = (user: string, password: string): string =>
    farm.server.url.replace('//', `//${user}:${encodeURIComponent(password)}@`);
  const study = (options: StudyHere) => farm.study(CANNON, { ...ASKED, ...options, url: urlOf('study', 'of studies') });
  const work = () => farm.work(CANNON, urlOf('worker', 'of workers'));
  afterEach(function () {
    if (this.currentTest?.state === 'failed') console.log(farm.said);
  });
  after(async () => {
    process.chdir(directory);
    await farm?.stop();
  });

  it('makes the table of one machine, where none of its files lies', async () => {
    const here = await monteCarlo(CANNON, { ...ASKED, workers: 1, runDirectory: 'here' });
    expect(here.failed, here.csv()).to.equal(0);
    const made = study({});
    await farm.heard('varwire.farm.jobs.*', urlOf('study', 'of studies'));
    for (const name of ['RUN_test', 'Modified_data']) rmSync(name, { recursive: true });
    const end = work();
    expect((await made).csv()).to.equal(here.csv());
    expect(readdirSync('.').filter((name) => name.startsWith('MONTE_'))).to.deep.equal([]);
    await end();
  });

  it('makes another study when it has been changed', async () => {
    mkdirSync('RUN_test', { recursive: true });
    const input = (stop: number) =>
      writeFileSync(
        INPUT,
        `trick.mc_set_enabled(1)
trick.mc_set_num_runs(3)
trick.stop(${stop})
trick_mc.mc.add_variable(trick.MonteVarFixed("dyn.cannon.init_speed", 40))
`,
      );
    const over = new AbortController();
    input(0.1);
    work();
    await study({ signal: over.signal, progress: () => over.abort() });
    input(0.2);
    const { rows } = await study({ isResumed: true });
    expect(rows.map(({ timeSeconds }) => timeSeconds)).to.deep.equal([0.2, 0.2, 0.2]);
  });
});
