// A socket that is stopped takes nothing from the system, and gives all bytes in order when it is read on.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { readOn, stopReading } from './kernel-reading.js';

describe('reading that stops at once', () => {
  it('takes nothing meanwhile, however often it stops, and loses nothing', async () => {
    const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const peer = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const [socket] = (await once(server, 'connection')) as [Socket];
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    const turns = async (): Promise<void> => {
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    };
    for (let round = 0; round < 3; round++) {
      readOn(socket);
      await turns();
      stopReading(socket);
      await new Promise((sent) => peer.write(`part ${round};`, sent));
      await turns();
      expect(socket.bytesRead).to.equal(round * 'part 0;'.length);
      readOn(socket);
      await once(socket, 'data');
      stopReading(socket);
    }
    expect(text).to.equal('part 0;part 1;part 2;');
    peer.end('the end');
    readOn(socket);
    await once(socket, 'end');
    expect(text).to.match(/the end$/);
    socket.destroy();
    readOn(socket);
    stopReading(socket);
    server.close();
  });
});
