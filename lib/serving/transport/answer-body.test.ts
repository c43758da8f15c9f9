// An answer in parts, by a response that the test empties.
import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { AnswerBody } from './answer-body.js';

describe('the body of an answer', () => {
  /** As a response whose answers a program compresses: who listens for `drain` hears what compresses. */
  class Compressed extends EventEmitter {
    readonly gzip = new EventEmitter();
    readonly written: number[] = [];
    ends = 0;

    override on(type: string, listener: () => void): this {
      if (type === 'drain') this.gzip.on(type, listener);
      else super.on(type, listener);
      return this;
    }

    write(part: Uint8Array): boolean {
      expect(this.ends).to.equal(0);
      this.written.push(part.length);
      return false;
    }

    end(part?: Uint8Array): void {
      if (part) this.write(part);
      this.ends++;
    }
  }

  it('listens once for all its parts, and writes nothing after the last', () => {
    const response = new Compressed();
    let taken = 0;
    const bytes = 100 * 65_536 + 1;
    const body = new AnswerBody(response as unknown as ServerResponse, [Buffer.alloc(bytes)], bytes, () => taken++);
    body.write();
    for (let count = 1; count <= 100; count++) {
      expect([response.written.length, response.ends]).to.deep.equal([count, 0]);
      expect(response.gzip.listenerCount('drain')).to.equal(1);
      response.gzip.emit('drain');
    }
    expect([response.written.length, response.ends, taken, body.unwrittenBytes]).to.deep.equal([101, 1, 100, 0]);
    response.gzip.emit('drain');
    expect([response.written.length, response.ends, taken]).to.deep.equal([101, 1, 100]);
  });

  it('of small parts or none ends at once', () => {
    for (const pieces of [[], [Buffer.alloc(1)], Array.from({ length: 10 }, () => Buffer.alloc(100))]) {
      const response = new Compressed();
      new AnswerBody(response as unknown as ServerResponse, pieces, 100 * pieces.length, () => undefined).write();
      expect([response.written.length, response.ends]).to.deep.equal([pieces.length, 1]);
      response.gzip.emit('drain');
      expect(response.ends).to.equal(1);
    }
  });
});
