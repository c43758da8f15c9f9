// The programs and commands of docs/recordings.md, with a recording of the ball.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { run, simulation } from '../lib/index.js';
import ball from '../sims/ball.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const PAGE = readFileSync(join(PROJECT, 'docs/recordings.md'), 'utf8');
const blocks = (language: string): string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);

describe('docs/recordings.md', () => {
  let directory: string;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-recordings-page-'));
    const recorded = simulation({ ...ball.options }, (sim) => {
      ball.build(sim);
      const variables = ['ball.position[0]', 'ball.position[1]'];
      sim.record('flight', { format: 'binary', cycleSeconds: 0.1, variables });
    });
    await run(recorded, { untilSeconds: 2, runDirectory: directory });
  });
  after(() => rmSync(directory, { recursive: true }));

  it('has a program that reads a recording', () => {
    const [program = ''] = blocks('js');
    const here = program.replace("'log_flight.trk'", JSON.stringify(join(directory, 'log_flight.trk')));
    const args = ['--input-type=module', '--eval', here];
    const { stdout, stderr } = spawnSync(process.execPath, args, { cwd: PROJECT, encoding: 'utf8' });
    expect(stderr).to.equal('');
    const lines = stdout.trim().split('\n');
    expect(lines.slice(0, 3)).to.deep.equal(['sys.exec.out.time s', 'ball.position[0] m', 'ball.position[1] m']);
    expect(lines.at(-1)).to.equal('1.9');
    expect(stdout).to.match(/\[ \S+, \S+, \S+ \]/);
  });
});
