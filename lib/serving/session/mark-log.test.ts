// Marks of what happened when.
import { expect } from 'chai';
import { Mode } from '../../model/frame/header.js';
import type { Source } from '../../source/source.js';
import { TestServer } from '../../testing/aids/http-exchange.js';
import { MarkLog } from './mark-log.js';
import type { MessageLog } from './message-log.js';

describe('sim/marks', () => {
  const shown = async (server: TestServer, params: object = {}): Promise<string[]> =>
    (await server.call('sim/marks', params)).marks.map(
      ({ number, kind, sec_si, text }: { number: number; kind: string; sec_si: number; text: string }) =>
        `${number} ${kind} ${sec_si} ${text}`,
    );

  it('tells freezes, runs, jumps of time, checkpoints, warnings and errors at their times', async () => {
    const server = new TestServer();
    expect(await shown(server)).to.deep.equal([]);
    server.ball.ticks(1);
    server.ball.publish({ mode: Mode.freeze });
    server.ball.publish({ mode: Mode.run });
    server.messages.add({ level: 'informational', text: 'Dumped ASCII Checkpoint a.\n', timeSeconds: 1.24 });
    server.messages.add({ level: 'normal', text: 'nothing', timeSeconds: 1.24 });
    server.messages.add({ level: 'warning', text: 'low fuel', timeSeconds: 1.25 });
    server.ball.publish({ jumps: 1, clockSeconds: 0.5 });
    expect(await shown(server)).to.deep.equal([
      '1 freeze 1.24 frozen',
      '2 run 1.24 running again',
      '3 checkpoint 1.24 Dumped ASCII Checkpoint a.',
      '4 message 1.25 low fuel',
      '5 jump 0.5 time was set',
    ]);
    expect(await shown(server, { after: 3 })).to.have.length(2);
  });

  it('has those of what is played, not its stops; tells recordings of events', () => {
    const asked: unknown[] = [];
    const marks = [{ mark: 'freeze', seconds: 2, text: 'frozen' }] as const;
    const source = {
      frame: { header: { clockSeconds: 1 }, timeSeconds: 0.5 },
      marks,
      submit: (request: unknown) => Promise.reject(asked.push(request)),
    } as unknown as Source;
    const follow = () => expect.fail('it is not followed');
    const log = new MarkLog(source, { follow: () => undefined } as unknown as MessageLog, { onceUsed: follow });
    log.fired('apogee', 3);
    expect(log.after(0)).to.deep.equal([
      { number: 1, kind: 'freeze', clockSeconds: 2.5, text: 'frozen' },
      { number: 2, kind: 'event', clockSeconds: 3.5, text: 'apogee' },
    ]);
    expect(asked).to.deep.equal([
      { kind: 'record', control: { action: 'mark', mark: 'event', text: 'apogee', seconds: 3 } },
    ]);
  });

  it('keeps the latest thousand', async () => {
    const server = new TestServer();
    for (let k = 0; k < 1100; k++) server.messages.add({ level: 'error', text: `e${k}`, timeSeconds: k });
    const marks = await shown(server);
    expect(marks).to.have.length(1000);
    expect(marks[0]).to.match(/^101 message 100 e100/);
  });
});
