// What a recording group's search for a path costs, and that its block counts it.
import { expect } from 'chai';
import { trimsOf } from '../../../testing/aids/trims.js';
import type { Tools } from '../../python/index.js';
import type { CommandContext } from './command.js';
import { type GroupControl, RecordingValue } from './recording-value.js';

const PATHS = 6400;

describe('a recording group of many paths', () => {
  let steps: number;
  let asked: GroupControl[];
  let group: RecordingValue;
  const block = {
    submit: ({ control }: { control: GroupControl }) => void asked.push(control),
  } as unknown as CommandContext;
  const tools = {
    block,
    meter: {
      allocate: () => undefined,
      spend: (some: number) => {
        steps += some;
      },
    },
  } as unknown as Tools;
  const call = (name: string, ...positional: string[]): void => {
    const method = group.attribute(name) as { call(args: unknown, tools: Tools): unknown };
    method.call({ positional, keywords: [] }, tools);
  };

  beforeEach(() => {
    asked = [];
    group = new RecordingValue('DRAscii', 'many', block);
    for (let k = 0; k < PATHS; k++) call('add_variable', `path${k}`);
    steps = 0;
  });

  it('trims the path that it removes once, and counts a step for each 64 that it compares', async () => {
    expect(await trimsOf('other', () => call('remove_variable', '    other'))).to.equal(1);
    expect([group.size, steps]).to.deep.equal([PATHS, PATHS / 64]);
    call('remove_variable', ' path7 ');
    expect(group.size).to.equal(PATHS - 1);
  });

  it('tells the simulation nothing until it is added, and then each change', () => {
    call('remove_variable', 'path7');
    expect(asked).to.deep.equal([]);
    group.add(block);
    call('remove_all_variables');
    expect(asked.at(-1)).to.deep.equal({ action: 'change', group: 'many', options: { variables: [], changes: [] } });
  });
});
