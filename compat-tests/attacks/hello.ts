// What a client of TLS says first.
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/** The bytes of a hello, which a server answers. */
export const hello = new Promise<Buffer>((resolve) => {
  const socket = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _, done) => {
      resolve(chunk);
      done();
    },
  });
  connect({ socket });
});
