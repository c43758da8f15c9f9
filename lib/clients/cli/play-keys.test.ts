// Keys that play a recording, as a terminal sends them.
import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { recordingsHere } from '../../testing/aids/recordings-here.js';
import { doubles, trkFile } from '../../testing/aids/trk-file.js';
import { playByKeys } from './play-keys.js';

describe('the keys of varwire play', () => {
  const here = recordingsHere();

  it('play, pause, step, go to the ends, change the rate, and end', async () => {
    const times = [0, 1, 2, 3];
    here.of('a.trk', trkFile([doubles('sys.exec.out.time', times, 's'), doubles('a.x', times, 'm')]));
    const source = here.source(here.path('a.trk'));
    source.freeze();
    const modes: boolean[] = [];
    const input = Object.assign(new PassThrough(), { setRawMode: (isRaw: boolean) => modes.push(isRaw) });
    let [ended, said] = [0, ''];
    let tell: () => void = () => undefined;
    const out = {
      write: (text: string) => {
        said = text;
        tell();
      },
    };
    const close = playByKeys(input, out, source, () => ended++);
    const press = async (key: string): Promise<string> => {
      const told = new Promise<void>((resolve) => {
        tell = resolve;
      });
      input.write(key);
      await told;
      return said.replace(/^\r|\x1b\[K$/g, '');
    };
    const [right, left, up, down, home, end] = ['C', 'D', 'A', 'B', 'H', 'F'].map((sign) => `\x1b[${sign}`) as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    expect(await press(right)).to.equal('freeze at 1 of 3 s, 1 times as fast');
    expect(await press(end)).to.equal('freeze at 3 of 3 s, 1 times as fast');
    expect(await press(left)).to.equal('freeze at 2 of 3 s, 1 times as fast');
    expect(await press(up)).to.include('2 times as fast');
    expect(await press('r')).to.include('-2 times as fast');
    expect(await press(down)).to.include('-1 times as fast');
    expect(await press(home)).to.include('freeze at 0 of');
    await press('r');
    expect(await press(' ')).to.match(/^run at /);
    expect(await press(' ')).to.match(/^freeze at /);
    for (let k = 0; k < 12; k++) await press(up);
    expect(said).to.include(' 1000 times as fast');
    input.write('zq\x03');
    await new Promise((resolve) => setImmediate(resolve));
    expect(ended).to.equal(2);
    close();
    expect(modes).to.deep.equal([true, false]);
    await source.close();
  });
});
