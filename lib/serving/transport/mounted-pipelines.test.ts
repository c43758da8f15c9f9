// Any requests of a connection that a program's server reads, its own and mounted ones, in any pieces: answered in their order.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../testing/aids/run-counts.js';
import { collect, dial } from '../../testing/aids/transport-peer.js';
import { MountedConnections } from './mounted-connections.js';

/** Who answers: the program, the mounted server, or the latter behind middleware that takes its time. */
const KINDS = ['own', 'mounted', 'late'] as const;

interface Wanted {
  readonly kind: (typeof KINDS)[number];
  readonly bodyBytes: number;
  readonly isChunked: boolean;
}

const wanted: fc.Arbitrary<Wanted> = fc.record({
  kind: fc.constantFrom(...KINDS),
  bodyBytes: fc.oneof(fc.nat(20), fc.nat(3000), fc.nat(200_000)),
  isChunked: fc.boolean(),
});

function textOf({ kind, bodyBytes, isChunked }: Wanted, index: number): string {
  const head = `POST /${kind}/${index} HTTP/1.1\r\nHost: x\r\n`;
  const body = 'upgrade \n\r\n'.repeat(bodyBytes / 10 + 1).slice(0, bodyBytes);
  if (!isChunked) return `${head}Content-Length: ${bodyBytes}\r\n\r\n${body}`;
  const chunks = body === '' ? '' : `${bodyBytes.toString(16)}\r\n${body}\r\n`;
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`;
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  request.on('end', () => setImmediate(() => response.end(`<${request.url} ${bytes}>`)));
}

describe('a pipeline of a mounted server', () => {
  for (const isTold of [true, false])
    describe(isTold ? 'whose program tells of its connections' : 'whose program tells of none', () => {
      let server: Server;
      let connections: MountedConnections;
      const cut: Socket[] = [];

      before(async () => {
        connections = new MountedConnections();
        const tooMany = (socket: Socket): unknown => cut.push(socket);
        server = createServer((request, response) => {
          const take = (): void => connections.take(request, response, () => answer(request, response), tooMany);
          if (request.url?.startsWith('/own')) answer(request, response);
          else if (request.url?.startsWith('/late')) setTimeout(take, 3);
          else take();
        });
        if (isTold) server.on('connection', (socket: Socket) => connections.track(socket, tooMany));
        server.listen(0, '127.0.0.1');
        await once(server, 'listening');
      });
      after(() => {
        server.closeAllConnections();
        server.close();
      });

      it('is answered in its order, wherever its bytes are cut', async () => {
        const places = fc.array(fc.nat(), { maxLength: 5 });
        await fc.assert(
          fc.asyncProperty(fc.array(wanted, { minLength: 1, maxLength: 8 }), places, async (all, cuts) => {
            const text = all.map(textOf).join('');
            const bounds = [0, ...cuts.map((place) => place % text.length).sort((a, b) => a - b), text.length];
            const peer = await dial((server.address() as AddressInfo).port);
            const heard = collect(peer);
            for (const [index, end] of bounds.slice(1).entries()) {
              peer.write(text.slice(bounds[index], end));
              await new Promise(setImmediate);
            }
            const expected = all.map(({ kind, bodyBytes }, index) => `</${kind}/${index} ${bodyBytes}>`);
            const got = await heard.until((heard) => (heard.match(/<.*?>/g)?.length ?? 0) >= expected.length);
            expect(got.match(/<.*?>/g)).to.deep.equal(expected);
            peer.destroy();
          }),
          { numRuns: runs(300) },
        );
        expect(cut).to.deep.equal([]);
      });
    });
});
