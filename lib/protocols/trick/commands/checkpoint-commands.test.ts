// How many objects a text may have written, and what splitting their names counts.
import { expect } from 'chai';
import type { Request } from '../../../source/source.js';
import { checkpointCommands } from './checkpoint-commands.js';
import type { CommandContext } from './command.js';

const MOST = 10_000;

describe('checkpoint_objects', () => {
  const said = (objects: string) => {
    const asked: Request[] = [];
    const complaints: string[] = [];
    let steps = 0;
    const context = {
      submit: (request: Request) => void asked.push(request),
      complain: (sentence: string) => void complaints.push(sentence),
      spend: (some: number) => {
        steps += some;
      },
    };
    checkpointCommands
      .find(({ name }) => name === 'checkpoint_objects')
      ?.run(context as unknown as CommandContext, ['some', objects]);
    return { asked, complaints, steps };
  };

  it('names objects with commas and blanks between', () => {
    expect(said(' ball, cannon,, ').asked).to.deep.equal([
      { kind: 'checkpoint', file: 'some', objects: ['ball', 'cannon'] },
    ]);
  });

  it('counts the characters that it splits', () => {
    expect(said('ball'.repeat(1600)).steps).to.equal(100);
  });

  for (const text of [`,${'a,'.repeat(MOST)}`, `${'a '.repeat(MOST)}`])
    it(`takes as many objects as JSON does: ${text.slice(0, 4)}...`, () => {
      expect((said(text).asked[0] as { objects?: readonly string[] }).objects).to.have.length(MOST);
    });

  for (const text of [`,${'a,'.repeat(MOST + 1)}`, 'a,'.repeat(9 * MOST)])
    it(`writes nothing when there are more: ${text.slice(0, 4)}... of ${text.length} characters`, () => {
      const { asked, complaints } = said(text);
      expect(asked).to.deep.equal([]);
      expect(complaints).to.deep.equal(['checkpoint_objects: more than 10000 objects were named; nothing is written']);
    });
});
