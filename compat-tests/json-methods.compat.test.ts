// Runs every call of docs/json-methods.md over one WebSocket, compares the answers' shapes, and reads binary messages as the page says.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { shapeDifferences } from './answer-shapes.js';
import { endAfterFailure, ServerHere } from './launch.js';
import { serveBridged } from './serve-bridged.js';

const page = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const PAGE = page('json-methods.md');

interface Exchange {
  readonly method: string;
  readonly params: object;
  readonly result: unknown;
}

const exchanges: readonly Exchange[] = [...PAGE.matchAll(/^--> (\S+) (.*)\n<-- (.*)$/gm)].map(
  ([, method = '', params = '', result = '']) => ({ method, params: JSON.parse(params), result: JSON.parse(result) }),
);

/** The calls that read a simulation; the others need abilities that a bridge does not have. */
const READS = /^(session|var|runs|scene)\/|^sim\/(messages|marks|clients)$|^trick\/complete$/;

for (const { where, by, hasAll } of [
  { where: '', by: undefined, hasAll: true },
  { where: ', in front of a bridge', by: serveBridged, hasAll: false },
]) {
  describe(`docs/json-methods.md${where}`, () => {
    const tried = exchanges.filter(({ method }) => hasAll || READS.test(method));
    let directory: string;
    let server: ServerHere;
    let socket: WebSocket;
    let lastId = 0;
    const binaries: ArrayBuffer[] = [];

    before(async () => {
      directory = mkdtempSync(join(tmpdir(), 'varwire-methods-'));
      const options = ['--no-discovery', '--udp', 'off', ...(hasAll ? ['--run-dir', directory] : [])];
      server = await ServerHere.start('sims/ball.js', { options, ...(by && { by }) });
      socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws`);
      socket.binaryType = 'arraybuffer';
      socket.on('message', (data, isBinary) => isBinary && binaries.push(data as ArrayBuffer));
      await new Promise((resolve) => socket.once('open', resolve));
    });
    after(async function () {
      socket?.terminate();
      await endAfterFailure(this, server);
      await server?.stop();
      rmSync(directory, { recursive: true });
    });

    // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
    const call = (method: string, params: object): Promise<any> =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        const take = (data: Buffer, isBinary: boolean): void => {
          const answer = isBinary ? {} : JSON.parse(String(data));
          if (answer.id !== id) return;
          socket.off('message', take);
          if (answer.error) reject(new Error(answer.error.message));
          else resolve(answer.result);
        };
        socket.on('message', take);
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      });

    it('has calls to try', () => expect(tried).to.have.length.at.least(hasAll ? 20 : 12));

    for (const { method, params, result } of tried) {
      it(`${method} ${JSON.stringify(params)}`.slice(0, 90), async () => {
        expect(shapeDifferences(await call(method, params), result)).to.deep.equal([]);
      });
    }

    it('names, with var-wire.md, every method', async () => {
      const text = PAGE + page('var-wire.md');
      const { methods } = await call('session/me', {});
      expect(methods.filter((name: string) => !text.includes(name))).to.deep.equal([]);
    });

    it('reads binary messages by its script', async () => {
      const [script = ''] = [...PAGE.matchAll(/^```js\n(.*?)^```$/gms)].map(([, block = '']) => block);
      const file = `data:text/javascript,${encodeURIComponent(`${script}\nexport { rows, valuesOf };`)}`;
      const { rows, valuesOf } = await import(file);
      const aliases = ['ball.position', 'trick_sys.sched.mode', 'trick_sys.sched.time_tics'];
      const asked = await call('var/subscribe', { aliases, format: 'binary', cycle_ms: 10 });
      rows.set(asked.subscription_id, asked.layout);
      while (binaries.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
      const { frame, seconds, values } = valuesOf(binaries[1]);
      expect(frame).to.be.greaterThan(0);
      expect(values.get('ball.position')).to.have.length(2);
      expect([...values.get('trick_sys.sched.mode')]).to.deep.equal([5]);
      expect(Number(values.get('trick_sys.sched.time_tics')[0]) / 1e6).to.be.closeTo(seconds, 1e-6);
    });
  });
}
