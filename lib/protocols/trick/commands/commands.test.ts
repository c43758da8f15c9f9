// Commands as a client sends them: on the list, that write, of the simulation, of the server. Other files test further chapters.
import { expect } from 'chai';
import { sizeOf } from '../../../model/state/type.js';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import { COMMANDS } from './table.js';

describe('the commands', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;

  /** The answer to commands, `trick.` left out. */
  const ask = (...commands: string[]): Promise<string> =>
    fixture.ask(client, commands.map((command) => `trick.${command}\n`).join(''));
  const read = (names: string): Promise<string> => ask(`var_send_once("${names}", ${names.split(',').length})`);
  /** The last line that goes to stderr. */
  async function complaint(text: string): Promise<string> {
    await ask('var_set_send_stdio(True)');
    const answer = await fixture.ask(client, text);
    const lines = answer.split(/4 2 \d+\n/).map((line) => line.trim());
    return lines.filter((line) => line !== '').at(-1) ?? '';
  }

  beforeEach(async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
    await ask('var_pause()');
  });
  afterEach(() => fixture.close());

  describe('on the list', () => {
    it('add, remove the first of a name, and clear', async () => {
      expect(await ask('var_add("fx.all.i")', 'var_add("fx.all.d")', 'var_add("fx.all.i")', 'var_send()')).to.equal(
        '0\t5\t2.5\t5\n',
      );
      expect(await ask('var_remove("fx.all.i")', 'var_send()')).to.equal('0\t2.5\t5\n');
      expect(await ask('var_remove("nosuch")', 'var_clear()', 'var_send()', 'var_send_list_size()')).to.equal('3\t0\n');
    });

    it('take units at once or later, and keep what does not convert', async () => {
      expect(await ask('var_add("fx.all.d", "cm")', 'var_send()')).to.equal('0\t250 {cm}\n');
      expect(await ask('var_units("fx.all.d", "m")', 'var_send()')).to.equal('0\t2.5 {m}\n');
      expect(await ask('var_units("fx.all.d", "kg")', 'var_send()')).to.equal('0\t2.5 {m}\n');
      expect(await ask('var_units("fx.all.d", "xx")', 'var_send()')).to.equal('0\t2.5 {m}\n');
      expect(await ask('var_units("nosuch", "m")', 'var_send()')).to.equal('0\t2.5 {m}\n');
    });

    it('send names once when their number is the announced one', async () => {
      expect(await ask('var_send_once("fx.all.i")')).to.equal('5\t5\n');
      expect(await ask('var_send_once(" fx.all.i , fx.all.d,", 2)')).to.equal('5\t5\t2.5\n');
      expect(await ask('var_send_once("fx.all.i,fx.all.d", 3)', 'var_send_once("fx.all.i,fx.all.d")')).to.equal('');
      expect(await ask('var_send_once("fx.all.i,nosuch", 2)')).to.equal('5\t5\tBAD_REF\n');
      expect(await ask('var_send_list_size()')).to.equal('3\t0\n');
    });

    it('tell what exists and how large containers are', async () => {
      expect(await ask('var_exists("fx.all.d3[2]")', 'var_exists("fx.all.d3[3]")', 'var_exists("")')).to.equal(
        '1\t1\n1\t0\n1\t0\n',
      );
      expect(await ask('var_get_stl_size("fx.all.vd")', 'var_get_stl_size("fx.all.d3")')).to.equal(
        '6\t2\n6\tBAD_REF\n',
      );
    });

    it('refuse more than a message can show', async () => {
      await fixture.ask(client, 'for k in range(2): trick.var_add("fx.all.nosuch")\n');
      // Blocks of their own, none of which computes for as long as one may.
      for (let block = 0; block < 20; block++) {
        await fixture.ask(client, 'for k in range(5000): trick.var_add("fx.all.str", "xx")\n');
      }
      client.send('trick.var_send_list_size()\n');
      const { length } = await fixture.answer(client);
      expect(length).to.be.within('3\t1\n'.length, '3\t100000\n'.length);
      expect(fixture.log.join('\n')).to.match(
        /a list (shows|holds) at most \d+ (bytes|variables); fx\.all\.str was not added/,
      );
    });
  });

  describe('that write', () => {
    const WRITES: readonly (readonly [command: string, name: string, shown: string])[] = [
      ['"fx.all.i", 7', 'i', '7'],
      ['"fx.all.i", -7.9', 'i', '-7'],
      ['"fx.all.i", True', 'i', '1'],
      ['"fx.all.ll", 9223372036854775807', 'll', '9223372036854775807'],
      ['"fx.all.ll", 1234567890123456789', 'll', '1234567890123456789'],
      ['"fx.all.ll", 1e18', 'll', '1000000000000000000'],
      ['"fx.all.d", 5', 'd', '5'],
      ['"fx.all.d", 1e400', 'd', 'inf'],
      ['"fx.all.d", float("nan")', 'd', 'nan'],
      ['"fx.all.f", 0.1', 'f', '0.1'],
      ['"fx.all.b", 2', 'b', '1'],
      ['"fx.all.d", 10, "ft"', 'd', '3.048'],
      ['"fx.all.d", 1, "xx"', 'd', '1'],
      ['"fx.all.d", 1, "--"', 'd', '1'],
      ['"fx.all.d3[1]", 9', 'd3', '1,9,3'],
      ['"fx.all.i23[1][2]", 9', 'i23', '0,0,0,0,0,9'],
      ['"fx.all.vd[1]", 9', 'vd', '1,9'],
      ['"fx.all.points[1].y", 9', 'points[1].y', '9'],
      ['"fx.all.phase", 2', 'phase', '2'],
      ['"fx.all.phase", "COAST"', 'phase', '2'],
      ['"fx.all.phase", trick.ENTRY', 'phase', '7'],
      ['"fx.all.name", "abc"', 'name', 'abc'],
      ['"fx.all.str", "a longer text"', 'str', 'a longer text'],
      ['"fx.all.cp", "abc"', 'cp', 'abc'],
      ['var="fx.all.i", value=8', 'i', '8'],
      ['units="km", value=1, var="fx.all.i"', 'i', '1000'],
    ];
    for (const [command, name, shown] of WRITES) {
      it(`store: var_set(${command})`, async () => {
        expect(
          await fixture.ask(client, `trick.var_set(${command})\ntrick.var_send_once("fx.all.${name}")\n`),
        ).to.equal(`5\t${shown}\n`);
      });
    }

    const REFUSED: readonly (readonly [text: string, sentence: RegExp])[] = [
      ['trick.var_set("fx.all.i", "text")', /fx\.all\.i .*int.*text/],
      ['trick.var_set("fx.all.str", 5)', /fx\.all\.str .*text.*5|fx\.all\.str/],
      ['trick.var_set("fx.all.str", 2.5)', /fx\.all\.str/],
      ['trick.var_set("fx.all.d3", 4.5)', /fx\.all\.d3 .*list|fx\.all\.d3/],
      ['trick.var_set("fx.all", 1)', /fx\.all/],
      ['trick.var_set("fx.all.name", "much too long")', /fx\.all\.name/],
      ['trick.var_set("fx.all.phase", "NOSUCH")', /fx\.all\.phase.*NOSUCH/],
      ['trick.var_set("fx.all.fixed", 1)', /^fx\.all\.fixed is read-only$/],
      ['trick.var_set("fx.all.d3[3]", 1)', /fx\.all\.d3/],
      ['trick.var_set("fx.all.vd[2]", 1)', /fx\.all\.vd\[2\] is not there|fx\.all\.vd/],
      ['trick.var_set("fx.all.far[0]", 1)', /fx\.all\.far/],
      ['trick.var_set("fx.all.dd", 1)', /did you mean fx\.all\.d/],
      ['trick.var_set("fx.all.d", 1, "kg")', /kg.*m|m.*kg/],
      ['trick.var_set("fx.all.d", 1, "nonsense(")', /nonsense/],
      ['trick.var_set("fx.all.i", float("nan"))', /fx\.all\.i/],
      ['trick.var_set("fx.all.d", None)', /argument 'value' must be/],
      [
        'trick.var_set("fx.all.i", 4294967297)',
        /^fx\.all\.i is a whole number from -2147483648 to 2147483647; the number 42/,
      ],
      ['trick.var_set("fx.all.s", 70000)', /^fx\.all\.s is a whole number from -32768 to 32767; the number 70000 does/],
      ['trick.var_set("fx.all.c", 300)', /^fx\.all\.c is a whole number/],
      ['trick.var_set("fx.all.uc", -1)', /^fx\.all\.uc is a whole number from 0 to 255/],
      ['trick.var_set("fx.all.ui", -1)', /^fx\.all\.ui is a whole number/],
      ['trick.var_set("fx.all.ll", 2 ** 63)', /^fx\.all\.ll is a whole number/],
      ['trick.var_set("fx.all.lo", 9)', /^fx\.all\.lo is a whole number from 0 to 7/],
      ['trick.var_set("fx.all.phase", 4294967297)', /^fx\.all\.phase is a whole number/],
      ['fx.all.uc = 256', /^TypeError: fx\.all\.uc is a whole number/],
      ['fx.all.uc += 256', /^TypeError: fx\.all\.uc is a whole number/],
      ['fx.all.i23[0] = [1, 2, 2147483648]', /^TypeError: fx\.all\.i23\[0\]\[2\] is a whole number/],
      ['fx.all.lo = 8', /^TypeError: fx\.all\.lo is a whole number/],
      ['fx.all.i = "text"', /^TypeError: fx\.all\.i/],
      ['fx.all.d3 = [1, 2, 3, 4]', /^TypeError: fx\.all\.d3 has 3 elements/],
      ['fx.all.d3 = 5', /^TypeError: fx\.all\.d3/],
      ['fx.all.vd = [1, 2, 3, 4, 5]', /^TypeError: fx\.all\.vd has room for 4 elements/],
      ['fx.all.point = 5', /^TypeError: fx\.all\.point/],
      ['fx.all.d = trick.attach_units("kg", 1)', /^TypeError: /],
      ['fx = 5\nfx.all.d = 1', /^AttributeError: 'int' object has no attribute 'all'$/],
      ['trick.var_add = 5', /^AttributeError: 'module' object has no attribute 'var_add'|cannot/],
      ['trick = 5', /^TypeError: trick cannot be replaced$/],
    ];
    for (const [text, sentence] of REFUSED) {
      it(`say what does not fit, and change nothing: ${text.replace('\n', ' ⏎ ')}`, async () => {
        const before = snapshotOf(fixture);
        expect(await complaint(`${text}\n`)).to.match(sentence);
        expect(snapshotOf(fixture)).to.equal(before);
      });
    }

    it('keep what a write-only variable holds to itself', async () => {
      expect(await read('fx.all.secret')).to.equal(await read('fx.all.secret'));
      await ask('var_set("fx.all.secret", 3)');
      expect(fixture.local.source.frame.memory.bytes.includes(3)).to.equal(true);
    });

    it('assign whole arrays, sequences, elements and structures by Python', async () => {
      await fixture.ask(
        client,
        'fx.all.d3 = [9]\nfx.all.vd = [4, 5, 6]\nfx.all.i23[0] = [7, 8, 9]\nfx.all.d3[-1] = 2\n',
      );
      expect(await read('fx.all.d3,fx.all.vd,fx.all.i23')).to.equal('5\t9,0,2\t4,5,6\t7,8,9,0,0,0\n');
      await fixture.ask(client, 'for k in range(3): fx.all.d3[k] += k * 10\nfx.all.d = sum(fx.all.d3)\n');
      expect(await read('fx.all.d3,fx.all.d')).to.equal('5\t9,10,22\t41\n');
      await fixture.ask(client, 'fx.all.d3 = fx.all.i23[0]\nfx.all.i = len(fx.all.vd)\n');
      expect(await read('fx.all.d3,fx.all.i')).to.equal('5\t7,8,9\t3\n');
    });

    it('convert quantities to the units of what they are assigned to', async () => {
      await fixture.ask(client, 'fx.all.d = trick.attach_units("ft", 10)\nx = fx.all.d\nfx.all.i = x * 1000\n');
      expect(await read('fx.all.d,fx.all.i')).to.equal('5\t3.048\t3048\n');
    });
  });

  describe('that are given what they do not take', () => {
    beforeEach(() => {
      fixture.server.hasClientRules = true;
    });

    const TYPE_ERRORS: readonly (readonly [text: string, sentence: string])[] = [
      ['trick.var_add()', "TypeError: var_add() missing 1 required positional argument: 'in_name'"],
      ['trick.var_set()', "TypeError: var_set() missing 2 required positional arguments: 'var' and 'value'"],
      ['trick.var_exists("a", "b")', 'TypeError: _sim_services.var_exists() takes exactly one argument (2 given)'],
      ['trick.var_clear(1)', 'TypeError: _sim_services.var_clear() takes no arguments (1 given)'],
      ['trick.var_add("a", name="b")', "TypeError: var_add() got an unexpected keyword argument 'name'"],
      ['trick.var_add("a", in_name="b")', "TypeError: var_add() got multiple values for argument 'in_name'"],
      ['trick.var_add(5)', "TypeError: var_add() argument 'in_name' must be text, not int"],
      ['trick.var_cycle("a")', "TypeError: var_cycle() argument 'in_rate' must be a number, not str"],
      ['trick.var_sync(1.5)', "TypeError: var_sync() argument 'mode' must be a whole number, not float"],
      ['trick.var_ad("x")', "AttributeError: module 'trick' has no attribute 'var_ad'; did you mean var_add"],
      ['trick.VAR_ADD("x")', "AttributeError: module 'trick' has no attribute 'VAR_ADD'; did you mean var_add"],
      ['var_add("x")', "NameError: name 'var_add' is not defined"],
      ['trick.var_cycle(-1)', 'var_cycle takes seconds from 0 up, not -1'],
      ['trick.var_cycle(float("nan"))', 'var_cycle takes seconds from 0 up, not NaN'],
      ['trick.var_sync(3)', 'var_sync takes a whole number from 0 to 2, not 3'],
      ['trick.var_set_copy_mode(-1)', 'var_set_copy_mode takes a whole number from 0 to 2, not -1'],
      ['trick.var_set_write_mode(2)', 'var_set_write_mode takes a whole number from 0 to 1, not 2'],
      ['trick.var_set_frame_multiple(0)', 'var_set_frame_multiple takes a whole number from 1 up, not 0'],
      [
        'trick.var_set_freeze_frame_multiple(-1)',
        'var_set_freeze_frame_multiple takes a whole number from 1 up, not -1',
      ],
      ['trick.var_set_frame_offset(-1)', 'var_set_frame_offset takes a whole number from 0 up, not -1'],
      ['trick.var_debug(4)', 'var_debug takes a whole number from 0 to 3, not 4'],
      ['trick.var_server_create_tcp_socket("", 99999)', 'a port is a number from 0 to 65535, not 99999'],
      ['trick.var_add_ip("nonsense")', 'nonsense is no address'],
      ['trick.var_remove_ip("9.9.9.9")', '9.9.9.9 was not added'],
      ['trick.attach_units("m", "x")', 'TypeError: attach_units() takes units and a number or a list of numbers'],
      ['trick.add_up(x=1)', 'TypeError: add_up() takes no keyword arguments'],
      ['trick.refuse()', 'RuntimeError: function refuse failed: this function refuses'],
    ];
    for (const [text, sentence] of TYPE_ERRORS) {
      it(`say so: ${text}`, async () => {
        expect(await complaint(`${text}\n`)).to.satisfy((line: string) => line.startsWith(sentence), sentence);
      });
    }
  });

  describe('of the simulation', () => {
    it('call its functions and the methods of its components', async () => {
      await fixture.ask(client, 'fx.all.i = trick.add_up(2, 3)\nfx.all.kick(0.5)\n');
      expect(await read('fx.all.i,fx.all.d')).to.equal('5\t5\t3\n');
    });

    it('know enumeration labels', async () => {
      expect(
        await complaint(
          'trick.var_set_send_stdio(False)\nfx.all.i = trick.COAST + trick.ENTRY\ntrick.var_send_once("fx.all.i")\n',
        ),
      ).to.equal('5\t9');
    });

    it('freeze, run, step and end at a time', async () => {
      const mode = () => read('trick_sys.sched.mode');
      await ask('exec_freeze()');
      expect(await mode()).to.equal('5\t1\n');
      await ask('exec_run()');
      expect(await mode()).to.equal('5\t5\n');
      await ask('freeze(0.1)');
      await fixture.pass(300);
      expect(await read('trick_sys.sched.mode,time')).to.equal('5\t1\t0.1 {s}\n');
      await ask('exec_run()', 'stop(0.2)');
      await fixture.pass(300);
      expect(await read('trick_sys.sched.mode,time')).to.equal('5\t6\t0.2 {s}\n');
    });

    it('refuse to freeze in the past, and end at once for an end in the past', async () => {
      await fixture.pass(200);
      expect(await complaint('trick.freeze(0.1)\n')).to.match(/^cannot freeze at 0\.1 s, simulation time is 0\.2/);
      await ask('stop(0.1)');
      await fixture.pass(20);
      expect(await read('trick_sys.sched.mode')).to.equal('5\t6\n');
    });

    it('tell time, mode and frames', async () => {
      await fixture.pass(95);
      const text =
        'print(trick.exec_get_sim_time(), trick.exec_get_mode(), trick.exec_get_time_tics(), trick.exec_is_in_freeze(), end="")\n';
      expect(printed(await complaintOf(text))).to.equal('0.1 5 100000 False');
    });

    it('tell the frames and the end of the run', async () => {
      await ask('exec_set_freeze_frame(0.25)', 'exec_set_terminate_time(500.5)');
      const text =
        'print(trick.exec_get_software_frame(), trick.exec_get_freeze_frame(), trick.exec_get_terminate_time(), end="")\n';
      expect(printed(await complaintOf(text))).to.equal('0.01 0.25 500.5');
    });
  });

  describe('of the server', () => {
    it('list the open sessions as Trick prints them', async () => {
      await ask('var_set_client_tag("me")', 'var_add("fx.all.i")', 'var_binary()', 'var_cycle(0.5)');
      const text = printed(await complaintOf('trick.var_server_list_connections()\n'));
      expect(JSON.parse(text)).to.deep.equal({
        variable_server_connections: [
          {
            connection: {
              client_tag: 'me',
              client_IP_address: '127.0.0.1',
              client_port: '53412',
              format: 'BINARY',
              update_rate: 0.5,
              variables: ['fx.all.i'],
            },
          },
        ],
      });
    });

    it('open ports and narrow who may connect', async () => {
      await ask('var_server_create_tcp_socket("127.0.0.1", 7001)', 'var_server_create_udp_socket("", 0)');
      await ask('var_server_create_multicast_socket("224.1.1.1", "127.0.0.1", 7002)');
      expect(fixture.opened).to.deep.equal(['tcp 127.0.0.1:7001', 'udp :0', 'multicast 224.1.1.1 127.0.0.1:7002']);
      fixture.server.hasClientRules = true;
      await ask(
        'var_add_ip("10.0.0.0/8")',
        'var_remove_ip("10.0.0.0/8")',
        'var_disable_connections()',
        'var_allow_connections()',
      );
      await ask('var_allow_all_connections()');
      expect(fixture.allowed).to.deep.equal(['add 10.0.0.0/8', 'remove 10.0.0.0/8', 'open false', 'open true', 'all']);
    });

    it('leave it to the operator who may connect, and say so once', async () => {
      const RULES = [
        'add_ip("10.0.0.1")',
        'remove_ip("10.0.0.1")',
        'disable_connections()',
        'server_set_enabled(False)',
      ];
      const said = await complaintOf(RULES.map((text) => `trick.var_${text}\n`).join(''));
      expect(said.match(/only the operator decides who may connect/g)).to.have.length(1);
      expect(fixture.log.join('\n')).to.include('127.0.0.1:53412: nothing changes: here only the operator decides');
      expect(fixture.allowed).to.deep.equal([]);
      expect(fixture.server.isEnabled).to.equal(true);
    });

    it('keep a tag of one line for the discovery message', async () => {
      await ask('var_server_set_user_tag("a\\tb\\nc")');
      expect(fixture.server.userTag).to.equal('a b c');
    });

    it('log what one session or all of them ask', async () => {
      await ask('var_exists("a")');
      expect(fixture.log.join()).to.not.contain('var_exists');
      await ask('var_server_session_log_on()');
      await ask('var_exists("b")');
      await ask('var_server_session_log_off()', 'set_var_server_info_msg_on()');
      await ask('var_exists("c")');
      await ask('set_var_server_info_msg_off()', 'var_debug(3)');
      await ask('var_exists("d")');
      await ask('var_debug(0)');
      await ask('var_exists("e")');
      const asked = fixture.log
        .join('\n')
        .match(/var_exists\(\\"(.)/g)
        ?.map((text) => text.at(-1));
      expect(asked).to.deep.equal(['b', 'c', 'd']);
    });
  });

  it('are all documented, and known by one name each', () => {
    for (const { name, about, parameters } of COMMANDS.values()) {
      expect(about, name).to.match(/^[A-Z].*[^.]\.$/);
      const optional = parameters.findIndex(({ standard }) => standard !== undefined);
      const late = parameters
        .slice(optional < 0 ? parameters.length : optional)
        .filter(({ standard }) => standard === undefined);
      expect(late, `${name} has a required parameter after an optional one`).to.deep.equal([]);
    }
  });

  async function complaintOf(text: string): Promise<string> {
    await ask('var_set_send_stdio(True)');
    return fixture.ask(client, text);
  }
});

/** The text of redirected stdout. */
const printed = (answer: string): string =>
  [...answer.matchAll(/4 1 (\d+)\n/g)]
    .map((head) => answer.slice(head.index + head[0].length).slice(0, Number(head[1])))
    .join('');

/** All bytes of the simulation's own variables. */
function snapshotOf({ local }: TrickFixture): string {
  const { catalog, frame } = local.source;
  const [component] = catalog.object('fx')?.type.members ?? [];
  if (!component) throw new Error('fx has no component');
  const { offsetBytes, type } = component;
  return frame.memory.bytes.subarray(offsetBytes, offsetBytes + sizeOf(type)).toString('hex');
}
