// How the simulation reaches an instance: in a process of its own, over two pipes, or on its own thread.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync, rmSync, writeSync } from 'node:fs';
import { constants as osConstants } from 'node:os';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import { HEAD_BYTES, Message } from './messages.js';
import { CHILD, END_OF_RUN } from './processes.js';

export interface Link {
  /** Sends a request and waits for its reply, which stays valid until the next one. */
  ask(request: Message): Message;
  /** Ends it, whatever it does. */
  close(): void;
  /** Undefined for an instance on the simulation's thread. */
  readonly pid: number | undefined;
}

/** Makes calls on this thread: a crash of the FMU is one of the simulation. */
export async function linksHere(): Promise<() => Link> {
  const { Runner } = await import('./runner.js');
  return () => {
    const runner = new Runner();
    return { ask: (request) => runner.handle(request), close: () => undefined, pid: undefined };
  };
}

/** @param directory where the FMU was unpacked, which the process removes when it ends. */
export function linkToProcess(directory: string): Link {
  return new ProcessLink(directory);
}

/** The state of an FMU may have some megabytes. */
const MOST_REPLY_BYTES = 1e9;

class ProcessLink implements Link {
  private readonly reply = new Message();
  private readonly requests: number;
  private readonly replies: number;
  private readonly child: ChildProcess;
  private isLost = false;

  constructor(directory: string) {
    const paths = ['requests', 'replies'].map((name) => join(directory, name)) as [string, string];
    execFileSync('mkfifo', paths);
    const [requests, replies] = paths.map(openPipe) as [Pipe, Pipe];
    for (const path of paths) rmSync(path);
    this.requests = requests.writer;
    this.replies = replies.reader;
    this.child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', CHILD, directory, String(threadId)],
      {
        stdio: ['ignore', 'ignore', 'ignore', requests.reader, replies.writer],
      },
    );
    // Without a listener, a process that cannot be started would end this one.
    this.child.on('error', () => undefined);
    this.child.unref();
    // When the other side has gone, a read must come to an end.
    for (const own of [requests.reader, replies.writer]) closeSync(own);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  ask(request: Message): Message {
    const { reply } = this;
    if (!this.isLost && this.send(request) && this.receive()) return reply;
    this.isLost = true;
    reply.status = 'lost';
    reply.flags = 0;
    const ended = endOf(this.child.pid);
    reply.finish(0, [], { error: ended });
    return reply;
  }

  close(): void {
    this.isLost = true;
    this.child.kill('SIGKILL');
    closeSync(this.requests);
    closeSync(this.replies);
  }

  private send(request: Message): boolean {
    try {
      const { length } = request;
      for (let sent = 0; sent < length; ) sent += writeSync(this.requests, request.bytes, sent, length - sent);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false;
      throw error;
    }
  }

  private receive(): boolean {
    const { reply } = this;
    let read = 0;
    for (;;) {
      const wanted = read < HEAD_BYTES ? HEAD_BYTES : reply.length;
      // The FMU has written into the pipe itself.
      if (wanted > MOST_REPLY_BYTES) return false;
      if (read >= wanted) return true;
      reply.ensure(wanted);
      const more = readSync(this.replies, reply.bytes, read, reply.bytes.length - read, null);
      if (more === 0) return false;
      read += more;
    }
  }
}

interface Pipe {
  readonly reader: number;
  readonly writer: number;
}

/** Opened for both first, because each end of a pipe waits for the other. */
function openPipe(path: string): Pipe {
  const both = openSync(path, constants.O_RDWR);
  const pipe = { reader: openSync(path, constants.O_RDONLY), writer: openSync(path, constants.O_WRONLY) };
  closeSync(both);
  return pipe;
}

const SIGNALS: Readonly<Record<number, string>> = {
  4: 'an illegal instruction',
  6: 'an abort',
  7: 'a bus error',
  8: 'a floating-point exception',
  9: 'being killed',
  11: 'a segmentation fault',
};

/** How a process has ended, while it is still in the table of processes, which it is until this thread is idle. */
function endOf(pid: number | undefined): string {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.trim().split(' ') ?? [];
    const status = Number(fields.at(-1));
    const signal = status & 0x7f;
    if (status === 0 && fields[0] !== 'Z') return 'what its process has written is no answer';
    if (signal === osConstants.signals[END_OF_RUN])
      return 'its process was ended with the run, which could not wait for it';
    if (signal !== 0) return `its process has ended by ${SIGNALS[signal] ?? `signal ${signal}`}`;
    return `it has ended its process with exit code ${status >> 8}`;
  } catch {
    return 'its process has ended';
  }
}
