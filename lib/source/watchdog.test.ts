// The watchdog: what it reports as stuck, and when it takes that back.
import { expect } from 'chai';
import { EMPTY_HEADER, Mode } from '../model/frame/header.js';
import { Frame } from '../model/frame/reader.js';
import { Vitals } from '../simulation/executive/vitals.js';
import { Watchdog } from './watchdog.js';

describe('watchdog of a simulation', () => {
  const build = (softwareFrameTics = 10_000, mayRest = false) => {
    const vitals = new Vitals();
    const header = { ...EMPTY_HEADER, number: 1, mode: Mode.run, softwareFrameTics, ticsPerSecond: 1_000_000 };
    const said: string[] = [];
    const watched = {
      frame: new Frame(0, header),
      silence: undefined as string | undefined,
      standstill: undefined as string | undefined,
      setSilence(sentence: string | undefined) {
        this.silence = sentence;
      },
      setStandstill(sentence: string | undefined) {
        this.standstill = sentence;
      },
    };
    const dog = new Watchdog(watched, vitals, 5000, mayRest);
    const look = (times: number, each: () => void = () => {}) => {
      for (let i = 0; i < times; i++) {
        each();
        dog.look();
      }
    };
    return { vitals, watched, look, header, said };
  };

  it('names the job that does not return, and takes it back when it does', () => {
    const { vitals, watched, look } = build();
    vitals.nameJob('idle');
    vitals.jobStarts(vitals.nameJob('integrate'));
    look(10);
    expect(watched.silence).to.equal(undefined);
    look(1);
    expect(watched.silence).to.equal('the simulation has not answered for 5 s: it is busy with job integrate');
    vitals.isIdle();
    vitals.turnEnded();
    look(1);
    expect(watched.silence).to.equal(undefined);
  });

  it('lets a thread be that ends its turns, even when no frame is due', () => {
    const { vitals, watched, look } = build();
    watched.frame = new Frame(0, { ...EMPTY_HEADER, number: 1, mode: Mode.freeze });
    // Five minutes.
    look(600, () => vitals.turnEnded());
    expect([watched.silence, watched.standstill]).to.deep.equal([undefined, undefined]);
  });

  it("lets a program's thread rest, but not a job of it", () => {
    const { vitals, watched, look } = build(10_000, true);
    watched.frame = new Frame(0, { ...EMPTY_HEADER, number: 1, mode: Mode.freeze });
    look(100);
    expect(watched.silence).to.equal(undefined);
    vitals.jobStarts(vitals.nameJob('integrate'));
    look(10);
    expect(watched.silence).to.match(/busy with job integrate$/);
  });

  it('notices that frames have stopped while the simulation runs, and lets long frames be', () => {
    const short = build();
    short.look(11, () => short.vitals.turnEnded());
    expect(short.watched.standstill).to.equal('no frame has come for 5 s although the simulation runs');
    const long = build(4_000_000);
    long.look(23, () => long.vitals.turnEnded());
    expect(long.watched.standstill).to.equal(undefined);
    long.look(2, () => long.vitals.turnEnded());
    expect(long.watched.standstill).to.equal('no frame has come for 12 s although the simulation runs');
  });

  it('has a name for the jobs it knows, and a word for those beyond them', () => {
    const vitals = new Vitals();
    const numbers = Array.from({ length: 300 }, (_, index) => vitals.nameJob(`j${index}`));
    const named = (number: number) => {
      vitals.jobStarts(number);
      return new Vitals(vitals.buffer).busyWith;
    };
    expect([named(numbers[255] as number), named(numbers[256] as number)]).to.deep.equal(['job j255', 'a job']);
    vitals.forgetJob(numbers[3] as number);
    expect(named(vitals.nameJob('ß'.repeat(40)))).to.equal(`job ${'ß'.repeat(32)}`);
  });
});
