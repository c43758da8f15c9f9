// Refused requests: the status, the sentence and the end of the connection.
import { once } from 'node:events';
import { expect } from 'chai';
import { collect, dial, signal } from '../../testing/aids/transport-peer.js';
import { parserRefusal, refuse } from './http-refusal.js';
import { listenSockets } from './socket-server.js';

describe('a refusal', () => {
  it('is one whole HTTP answer, and the socket goes even when the peer keeps it', async () => {
    const gone = signal<boolean>();
    const listener = await listenSockets({ host: '127.0.0.1', port: 0 }, (socket) => {
      socket.once('close', gone.give);
      refuse(socket, 403, 'this is für someone else', 20);
      return () => socket.destroy();
    });
    const peer = await dial(listener.port, { allowHalfOpen: true });
    const heard = collect(peer);
    await once(peer, 'end');
    expect(heard.text).to.equal(
      'HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n' +
        'Content-Length: 26\r\n\r\nthis is für someone else\n',
    );
    await gone.promise;
    peer.destroy();
    await listener.close();
  });

  const causes: [code: string, status: number, sentence: string][] = [
    ['HPE_HEADER_OVERFLOW', 431, 'the request line and headers are longer than this server allows'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 413, 'the chunk extensions are longer than this server allows'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 408, 'the request did not arrive in the time allowed'],
    ['HPE_INVALID_METHOD', 400, 'this is not valid HTTP: Invalid method'],
  ];
  for (const [code, status, sentence] of causes) {
    it(`is ${status} for ${code}`, () => {
      const error = Object.assign(new Error('Parse Error'), { code, reason: 'Invalid method' });
      expect(parserRefusal(error)).to.deep.equal({ status, sentence });
    });
  }
});
