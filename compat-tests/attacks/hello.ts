// What a client of TLS says first.
import { Duplex } from 'node:stream';
import { connect } from 'node:tls';

let bytes: Promise<Buffer> | undefined;

/** The bytes of a hello, which a server answers. */
export function hello(): Promise<Buffer> {
  bytes ??= new Promise((resolve) => {
    const socket = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _, done) => {
        resolve(chunk);
        done();
      },
    });
    connect({ socket }).on('error', () => undefined);
  });
  return bytes;
}
