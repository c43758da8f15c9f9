// The blocks of docs/checkpoint-and-recording.md about checkpoints are what runs.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { double, int, pointer, struct } from '../../model/state/declare.js';
import { vector } from '../../model/state/declare-containers.js';
import { State } from '../../model/state/state.js';
import { modelOf } from './plan.js';
import { writeCheckpoint } from './writer.js';

const ROOT = new URL('../../../../', import.meta.url);
const PAGE = readFileSync(new URL('docs/checkpoint-and-recording.md', ROOT), 'utf8');

describe('docs/checkpoint-and-recording.md', () => {
  it('shows a checkpoint as it is written', () => {
    const [, block = ''] = /\n\n((?: {4}.*\n|\n)+)/.exec(PAGE.slice(PAGE.indexOf("The form is Trick's:"))) ?? [];
    const state = new State();
    const S = struct('S', {
      position: double(2),
      target: pointer(double()),
      track: vector(double(), 4),
      bounces: int({ checkpointIo: '*o' }),
    });
    const initial = { position: [0, 10], target: [11, 22, 33], track: [0.5, 1.5], bounces: 3 } as const;
    state.addObject('ball').component('state', S, initial);
    expect(writeCheckpoint(modelOf(state), state.arena.memory).trim()).to.equal(block.replace(/^ {4}/gm, '').trim());
  });

  it('declares what checkpoints do with a variable, and the declaration is one', () => {
    const [, block = ''] = /```js\n([^`]*checkpointIo[^`]*)```/.exec(PAGE) ?? [];
    const printed = "console.log(State.type.members.map(({ checkpointIo }) => checkpointIo).join(' '))";
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', `${block}\n${printed}`], {
      cwd: fileURLToPath(ROOT),
      encoding: 'utf8',
    });
    expect(output).to.equal('  *o **\n');
  });
});
