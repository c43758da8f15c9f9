// What NASA's suite for variable servers expects of each kind of variable, of checkpoints, of binary messages and of modes.
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { stepsInTime } from './in-time.js';
import { ServerHere, showOutputOfFailure } from './launch.js';

const INPUT = `
import trick
from trick.unit_test import *

def main():
    trick.var_ascii()
    trick.real_time_enable()
    trick.exec_set_software_frame(0.01)
    trick.exec_set_freeze_frame(0.05)
    trick.real_time_set_rt_clock_ratio(10)
    trick.exec_set_terminate_time(100000.0)

if __name__ == "__main__":
    main()
`;
/** Seconds of the wall clock, of which a frame takes a tenth. */
const WRITE_CYCLE = 0.01;
const FILE_LINE = 'one line to be sent';

/** A variable in a container: its size, one element's value, and another value, as written and as shown. */
const ELEMENTS: readonly (readonly [container: string, size: number, index: number, is: string, set: string])[] = [
  ['vec_int', 3, 1, '20', '999'],
  ['vec_short', 3, 1, '-200', '-888'],
  ['vec_ushort', 3, 1, '200', '555'],
  ['vec_uint', 3, 1, '2000', '7777'],
  ['vec_long', 3, 1, '20000', '88888'],
  ['vec_ulong', 3, 1, '200000', '777777'],
  ['vec_float', 3, 1, '2.5', '88.5'],
  ['vec_double', 4, 2, '3.3', '99.5'],
  ['vec_llong', 3, 1, '2000000', '8888888'],
  ['vec_ullong', 3, 1, '20000000', '88888888'],
  ['vec_bool', 5, 0, '1', 'False'],
  ['vec_string', 3, 1, 'Variable', '"Test"'],
  ['deq_short', 3, 1, '-20', '-77'],
  ['deq_uint', 3, 0, '100', '777'],
  ['deq_float', 4, 1, '2.5', '88.5'],
  ['deq_llong', 3, 1, '222222', '888888'],
  ['deq_string', 3, 1, 'of', '"Modified"'],
  ['arr_int', 3, 1, '200', '999'],
  ['arr_ushort', 4, 1, '20', '555'],
  ['arr_long', 5, 2, '3000', '8888'],
  ['arr_double', 4, 2, '30.5', '99.5'],
  ['arr_string', 3, 1, 'of', '"Test"'],
  ['vec_enum', 3, 1, '1', '2'],
  ['deq_enum', 3, 1, '3', '0'],
  ['arr_enum', 4, 2, '1', '3'],
];
const shown = (written: string): string => (written === 'False' ? '0' : written.replaceAll('"', ''));

/** Values behind pointers, in arrays and in containers of structures. */
const VALUES: readonly (readonly [path: string, value: string])[] = [
  ['point_dyn_array[0].x', '1.1'],
  ['point_dyn_array[0].point_label_obj.label_text', 'Label 1 for Array Point 1'],
  ['point_dyn_array[0].point_dyn_label_array[0].label_text', 'Dyn Label 1 for Array Point 1'],
  ['point_dyn_array[1].y', '4.4'],
  ['point_dyn_array[1].point_static_label_array[0].label_text', 'Static Label 1 for Array Point 2'],
  ['point_static_array[0].point_label_obj.label_text', 'Label 1 for Static Point 1'],
  ['point_static_array[0].point_dyn_label_array[0].label_text', 'Dyn Label 1 for Static Point 1'],
  ['point_static_array[0].point_static_label_array[1].label_text', 'Static Label 2 for Static Point 1'],
  ['vec_point[1].x', '3'],
  ['vec_point[2].y', '6'],
  ['deq_point[1].x', '30'],
  ['deq_point[2].y', '60'],
  ['arr_point[1].x', '300'],
  ['arr_point[2].y', '600'],
  ['vec_point_ptr[0].x', '11'],
  ['vec_point_ptr[0].point_label_obj.label_text', 'Point 1 (11.000000, 22.000000)'],
  ['vec_point_ptr[0].point_dyn_label_array[0].label_text', 'Dyn Label 1 for Point 1'],
  ['vec_point_ptr[1].point_static_label_array[0].label_text', 'Static Label 1 for Point 2'],
  ['vec_point_ptr[2].y', '66'],
];

/** A client that reads as NASA's does: lines one by one, and in binary what one read of the socket gives. */
class Reader {
  private readonly chunks: Buffer[] = [];
  private wake: () => void = () => undefined;

  private constructor(readonly socket: Socket) {
    socket.on('data', (bytes) => {
      this.chunks.push(bytes);
      this.wake();
    });
  }

  static async open(port: number): Promise<Reader> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    return new Reader(socket);
  }

  send(text: string): void {
    this.socket.write(`${text}\n`);
  }

  async bytes(): Promise<Buffer> {
    for (;;) {
      const chunk = this.chunks.shift();
      if (chunk) return chunk;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  /** The next line, with its end; a busy machine may give several in one read. */
  async message(): Promise<string> {
    let text = (await this.bytes()).toString('latin1');
    while (!text.includes('\n')) text += (await this.bytes()).toString('latin1');
    const end = text.indexOf('\n') + 1;
    if (end < text.length) this.chunks.unshift(Buffer.from(text.slice(end), 'latin1'));
    return text.slice(0, end);
  }

  async fields(): Promise<string[]> {
    return (await this.message()).trimEnd().split('\t');
  }

  /** Messages of earlier cycles may come first. */
  async until(message: string): Promise<void> {
    while ((await this.message()) !== message);
  }

  /** Asks for the mode as fast as answers come; the test's own time limit ends it. */
  async untilMode(mode: number): Promise<void> {
    for (;;) {
      this.send('trick.var_send_once("trick_sys.sched.mode")');
      let answer = await this.message();
      // A cyclic message may have left before the pause.
      while (!answer.startsWith('5\t')) answer = await this.message();
      if (answer === `5\t${mode}\n`) return;
    }
  }

  /** As the suite does it: frozen, and paused so that no cyclic message comes between. */
  async frozen(command: string): Promise<void> {
    this.send('trick.var_pause()\ntrick.exec_freeze()');
    await this.untilMode(1);
    this.send(command);
    this.send('trick.exec_run()');
    await this.untilMode(5);
    this.send('trick.var_unpause()');
  }

  close(): void {
    this.send('trick.var_exit()');
    this.socket.destroy();
  }
}

describe("NASA's suite for variable servers, by kind", () => {
  let server: ServerHere;
  let directory: string;
  let reader: Reader;

  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-suite-'));
    mkdirSync(join(directory, 'RUN_test'));
    writeFileSync(join(directory, 'RUN_test/unit_test.py'), INPUT);
    writeFileSync(join(directory, 'file_to_send.txt'), `${FILE_LINE}\n`);
    const options = ['--udp', 'off', '--no-discovery', '--input', 'RUN_test/unit_test.py', '--send-dir', '.'];
    server = await ServerHere.start('compat-tests/fixture/variable-server.js', { options, directory });
  });
  beforeEach(async () => {
    reader = await Reader.open(server.port);
  });
  afterEach(function () {
    reader.close();
    showOutputOfFailure(this, server);
  });
  after(async () => {
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  const once5 = async (path: string): Promise<string> => {
    reader.send(`trick.var_send_once("vsx.vst.${path}")`);
    return reader.message();
  };

  for (const [container, size, index, is, set] of ELEMENTS) {
    it(`reads, writes and counts elements of ${container}`, async () => {
      const element = `${container}[${index}]`;
      expect(await once5(element)).to.equal(`5\t${is}\n`);
      reader.send(`trick.var_set("vsx.vst.${element}", ${set})`);
      expect(await once5(element)).to.equal(`5\t${shown(set)}\n`);
      const back = set.startsWith('"') ? `"${is}"` : set === 'False' ? 'True' : is;
      reader.send(`trick.var_set("vsx.vst.${element}", ${back})`);
      expect(await once5(element)).to.equal(`5\t${is}\n`);
      reader.send(`trick.var_get_stl_size("vsx.vst.${container}")`);
      expect(await reader.message()).to.equal(`6\t${size}\n`);
    });
  }

  it('reads and writes structures in arrays, in containers and behind pointers', async () => {
    for (const [path, value] of VALUES) expect(await once5(path), path).to.equal(`5\t${value}\n`);
    for (const container of ['vec_point', 'deq_point', 'arr_point', 'vec_point_ptr']) {
      reader.send(`trick.var_get_stl_size("vsx.vst.${container}")`);
      expect(await reader.message(), container).to.equal('6\t3\n');
      const path = `${container}[1].x`;
      const before = (await once5(path)).slice(2, -1);
      reader.send(`trick.var_set("vsx.vst.${path}", 888.5)`);
      expect(await once5(path)).to.equal('5\t888.5\n');
      reader.send(`trick.var_set("vsx.vst.${path}", ${before})`);
      expect(await once5(path)).to.equal(`5\t${before}\n`);
    }
  });

  it('adds and removes variables between cyclic messages', async () => {
    reader.send('trick.var_add("vsx.vst.c")');
    expect(await reader.message()).to.equal('0\t-1234\n');
    expect(await reader.message()).to.equal('0\t-1234\n');
    for (const [command, answer] of [
      ['trick.var_add("vsx.vst.m")', '0\t-1234\t1\n'],
      ['trick.var_remove("vsx.vst.m")', '0\t-1234\n'],
      ['trick.var_add("vsx.vst.n")', '0\t-1234\t0,1,2,3,4\n'],
    ] as const) {
      reader.send(command);
      await reader.until(answer);
    }
  });

  it('restores a checkpoint, without what is no input and with nothing of what is no output', async () => {
    reader.send('trick.var_add("vsx.vst.c")');
    expect(await reader.message()).to.equal('0\t-1234\n');
    await reader.frozen('trick.checkpoint("reload_file.ckpnt")');
    reader.send('trick.var_add("vsx.vst.e","m")\ntrick.var_set("vsx.vst.c", 5)');
    await reader.until('0\t5\t-123456 {m}\n');
    await reader.frozen('trick.load_checkpoint("RUN_test/reload_file.ckpnt")');
    await reader.until('0\t-1234\t-123456 {m}\n');
    reader.send('trick.var_pause()\ntrick.var_clear()');
    for (const name of ['c', 'blocked_from_output', 'blocked_from_input'])
      reader.send(`trick.var_add("vsx.vst.${name}")`);
    reader.send('trick.var_send()');
    await reader.until('0\t-1234\t0\t500\n');
  });

  it('sends names, types and values in binary, in both orders of bytes', async () => {
    reader.send('trick.var_pause()\ntrick.var_binary()');
    for (const name of ['c', 'k', 'o', 'm']) reader.send(`trick.var_add("vsx.vst.${name}")`);
    reader.send('trick.var_send()');
    const message = await reader.bytes();
    expect(message.readInt32LE(0)).to.equal(0);
    expect(message.readInt32LE(4)).to.equal(message.length - 4);
    expect(message.readInt32LE(8)).to.equal(4);
    expect(types(message)).to.deep.equal([
      ['vsx.vst.c', 4, 2],
      ['vsx.vst.k', 14, 8],
      ['vsx.vst.o', 3, 290],
      ['vsx.vst.m', 17, 1],
    ]);
    reader.send('trick.var_clear()\ntrick.var_byteswap(True)\ntrick.var_add("vsx.vst.f")\ntrick.var_add("vsx.vst.j")');
    reader.send('trick.var_send()');
    const swapped = await reader.bytes();
    expect(swapped.readInt32BE(8)).to.equal(2);
    expect(swapped.readUInt32BE(12 + 4 + 9 + 8)).to.equal(123456);
    expect(swapped.readDoubleBE(swapped.length - 8)).to.equal(-1234.56789);
  });

  it('says of bit fields that they are some, in binary', async () => {
    const names = ['var1', 'var2', 'var3', 'var4'].map((name) => `vsx.vst.my_bitfield.${name}`);
    reader.send(`trick.var_binary()\ntrick.var_send_once("${names}", 4)`);
    expect(types(await reader.bytes()).map(([, type]) => type)).to.deep.equal([13, 12, 12, 13]);
  });

  it('sends files and resources', async () => {
    reader.send('trick.send_file("file_to_send.txt")');
    expect([await reader.message(), await reader.message()]).to.deep.equal([
      `2\t${FILE_LINE.length + 1}\n`,
      `${FILE_LINE}\n`,
    ]);
    for (const what of ['resource', 'class', 'enum', 'top_level_objects']) {
      reader.send(`trick.send_sie_${what}()`);
      expect(await reader.message(), what).to.match(/^2\t\d+\n/);
      reader.close();
      reader = await Reader.open(server.port);
    }
  });

  it('copies at exact times of the simulation', async () => {
    reader.send('trick.var_set_copy_mode(1)\ntrick.var_set_write_mode(1)\ntrick.var_add("time")');
    for (const [cycle, messages] of [
      [0.1, 5],
      [0.5, 3],
      [1.5, 2],
    ] as const) {
      reader.send(`trick.var_cycle(${cycle.toFixed(6)})`);
      const time = async () => timeOf(await reader.message());
      const steps = await stepsInTime(server.port, cycle, messages, time);
      for (const step of steps) expect(step).to.be.closeTo(cycle, 1e-5);
    }
  });

  it('copies at frames that it is told, written at once or by the cycle', async () => {
    const LIST = 'trick.var_clear()\ntrick.var_add("time")\ntrick.var_add("trick_sys.sched.frame_count")\n';
    reader.send(`trick.var_cycle(${WRITE_CYCLE})\n${LIST}trick.var_add("vsx.vst.a")\ntrick.var_add("vsx.vst.b")`);
    expect((await reader.fields()).slice(3)).to.deep.equal(['97', '98']);
    for (const [writeMode, multiple, offset, names, values] of [
      [0, 65, 7, ['g', 'h'], ['-1234567', '123456789']],
      [1, 85, 11, ['i', 'j'], ['1234.5677', '-1234.56789']],
    ] as const) {
      reader.send('trick.var_pause()');
      await reader.untilMode(5);
      reader.send(
        [
          `${LIST}trick.var_set_copy_mode(2)\ntrick.var_set_write_mode(${writeMode})`,
          `trick.var_set_frame_multiple(${multiple})\ntrick.var_set_frame_offset(${offset})`,
          ...names.map((name) => `trick.var_add("vsx.vst.${name}")`),
          'trick.var_unpause()',
        ].join('\n'),
      );
      for (let skipped = 0; skipped < 5; skipped++) await reader.message();
      await expectSteps(multiple, offset, async () => {
        const [, , count, ...rest] = await reader.fields();
        expect(rest).to.deep.equal(values);
        return Number(count);
      });
    }
  });

  it('copies in each freeze frame, and in some', async () => {
    const untilMode = async (mode: string): Promise<void> => {
      while ((await reader.fields())[1] !== mode);
    };
    const freezeFrames = async (): Promise<number> => Number((await reader.fields())[3]);
    reader.send(`trick.var_cycle(${WRITE_CYCLE})`);
    for (const name of ['mode', 'frame_count', 'freeze_frame_count'])
      reader.send(`trick.var_add("trick_sys.sched.${name}")`);
    expect((await reader.fields())[1]).to.equal('5');
    reader.send('trick.exec_freeze()');
    await untilMode('1');
    reader.send('trick.exec_run()');
    await untilMode('5');
    reader.send('trick.var_set_copy_mode(1)');
    reader.send('trick.exec_freeze()');
    await untilMode('1');
    reader.send('trick.var_set_copy_mode(1)');
    await expectSteps(1, 0, freezeFrames);
    reader.send(
      'trick.var_set_copy_mode(2)\ntrick.var_set_freeze_frame_multiple(3)\ntrick.var_set_freeze_frame_offset(1)',
    );
    await freezeFrames();
    await expectSteps(3, 1, freezeFrames);
    reader.send('trick.exec_run()\ntrick.var_set_copy_mode(0)');
    await untilMode('5');
  });

  it('ends the run with what the suite has found', async () => {
    const own = await ServerHere.start('compat-tests/fixture/variable-server.js', {
      options: ['--udp', 'off', '--no-discovery'],
      directory,
    });
    const client = await Reader.open(own.port);
    client.send('vsx.vst.success() \ntrick.stop() ');
    await own.ended;
    await own.stop();
    client.socket.destroy();
    expect(own.output).to.match(/\[exit 0\]/);
  });
});

/** Three steps of exactly `multiple` from one message to the next; a copy that a busy machine writes late is replaced. */
async function expectSteps(multiple: number, offset: number, next: () => Promise<number>): Promise<void> {
  let last = await next();
  for (let exact = 0; exact < 3; ) {
    const now = await next();
    expect([(now - last) % multiple, now % multiple]).to.deep.equal([0, offset]);
    expect(now).to.be.above(last);
    if (now - last === multiple) exact++;
    last = now;
  }
}

const timeOf = (message: string): number => Number(/^0\t(\S+) \{s\}/.exec(message)?.[1]);

/** Name, type code and size of each variable of a binary message with names. */
function types(message: Buffer): [name: string, type: number, sizeBytes: number][] {
  const found: [string, number, number][] = [];
  for (let at = 12; at < message.length; ) {
    const nameEnd = at + 4 + message.readInt32LE(at);
    const sizeBytes = message.readInt32LE(nameEnd + 4);
    found.push([message.toString('latin1', at + 4, nameEnd), message.readInt32LE(nameEnd), sizeBytes]);
    at = nameEnd + 8 + sizeBytes;
  }
  return found;
}
