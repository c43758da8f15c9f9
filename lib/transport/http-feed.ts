// Passes bytes from a socket to node's HTTP parser. The parser stops after a request with an `Upgrade` wish and forgets
// the bytes after it, so it gets each such request in a piece that ends where the request ends.
import type { Socket } from 'node:net';

/** What the feed must know of the request whose head was parsed last. */
export interface ParsedHead {
  /** Whether the parser stops after this request. */
  readonly hasWish: boolean;
  readonly complete: boolean;
  readonly headers: { readonly 'content-length'?: string | undefined };
}

type Listener = (chunk: Buffer) => void;

const WISH = /upgrade|connect/gi;
const BLANK_LINE = /\n\r?\n/g;
/** Every word or blank line that two chunks share has at most this many characters in the first chunk. */
const TAIL_CHARACTERS = 8;

/** Call `start` right after node's HTTP server was given the socket. */
export class HttpFeed {
  private parser: Listener[] = [];
  private isOver = false;
  /** The last bytes as text, and how far they are parsed, searched and part of a head with a wish. */
  private text = '';
  private parsed = 0;
  private searched = 0;
  private isInWish = false;
  /** The request whose body is being read. */
  private bodyOf: ParsedHead | undefined;
  private bodyBytes = 0;

  constructor(
    private readonly socket: Socket,
    private readonly latest: () => ParsedHead | undefined,
  ) {}

  start(): void {
    this.parser = this.socket.listeners('data') as Listener[];
    for (const listener of this.parser) this.socket.removeListener('data', listener);
    // Node reads from the socket's handle itself until there is another listener.
    this.socket.on('data', this.take);
  }

  /** Detaches the parser for good; bytes that it has not got can be read from the socket. */
  stop(): void {
    this.isOver = true;
    this.socket.removeListener('data', this.take);
  }

  private readonly take = (chunk: Buffer): void => {
    const before = this.text.length;
    this.text += chunk.toString('latin1');
    this.parsed = before;
    this.searched = 0;
    while (this.parsed < this.text.length) {
      const end = this.nextCut();
      const piece = chunk.subarray(this.parsed - before, end - before);
      this.parsed = end;
      for (const listener of this.parser) listener.call(this.socket, piece);
      if (this.socket.destroyed) return;
      // Node pauses the socket while answers are not taken, and for good at a WebSocket.
      if (end < this.text.length && (this.isOver || this.socket.isPaused())) {
        this.text = '';
        this.socket.unshift(chunk.subarray(end - before));
        return;
      }
    }
    this.text = this.text.slice(Math.max(this.searched, this.text.length - TAIL_CHARACTERS));
  };

  /** End of the next piece: the end of the bytes, or the first place where the parser may stop. */
  private nextCut(): number {
    const head = this.latest();
    const announced = head?.headers['content-length'];
    if (!head?.hasWish || head.complete) return this.endOfHead();
    // A chunked body also ends with a blank line.
    return announced === undefined
      ? (this.endOfBlankLine() ?? this.text.length)
      : this.endOfBody(head, Number(announced));
  }

  /** The end of the next head that contains one of the words. If the word is not a wish, the cut does no harm. */
  private endOfHead(): number {
    if (!this.isInWish && !this.find(WISH)) return this.text.length;
    const end = this.endOfBlankLine();
    this.isInWish = end === undefined;
    return end ?? this.text.length;
  }

  private endOfBody(head: ParsedHead, announcedBytes: number): number {
    if (this.bodyOf !== head) [this.bodyOf, this.bodyBytes] = [head, 0];
    const end = Math.min(this.text.length, this.parsed + announcedBytes - this.bodyBytes);
    this.bodyBytes += end - this.parsed;
    this.searched = end;
    return end;
  }

  /** The end of the next blank line that is not parsed yet. */
  private endOfBlankLine(): number | undefined {
    while (this.find(BLANK_LINE)) if (this.searched > this.parsed) return this.searched;
    return undefined;
  }

  private find(pattern: RegExp): boolean {
    pattern.lastIndex = this.searched;
    const isFound = pattern.test(this.text);
    if (isFound) this.searched = pattern.lastIndex;
    return isFound;
  }
}
