// How runs end by their texts: sys.exit, failed unit tests, errors in reads; and what clients cannot end.
import { expect } from 'chai';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

const TESTS = 'from trick.unit_test import *\ntrick_utest.unit_tests.enable()\n';
const EVENT =
  'ev = trick.new_event("ev")\nev.condition(0, "True")\nev.set_cycle(0.01)\nev.activate()\ntrick.add_event(ev)\n';
const STOP = 'trick.stop(0.05)\n';

describe('a run', () => {
  let fixture: TrickFixture;
  let end: { reason: string; code: number } | undefined;
  beforeEach(async () => {
    end = undefined;
    fixture = await startTrickFixture();
    fixture.local.source.onEnd((reason, code) => {
      end = { reason, code };
    });
  });
  afterEach(() => fixture.close());

  /** Runs an input file and a tenth of a second; returns the exit code, undefined when the run has not ended. */
  async function codeOf(text: string): Promise<number | undefined> {
    await fixture.frontEnd.runInput({ name: 'input.py', text });
    await fixture.pass(100);
    return end?.code;
  }

  const CODES: Readonly<Record<string, readonly (readonly [text: string, code: number])[]>> = {
    'ends where its input file says so': [
      ['import sys\nsys.exit(3)\nfx.all.i = 1 / 0\n', 3],
      ['import sys\nsys.exit()\n', 0],
      ['import sys\ndef f():\n  try:\n    sys.exit("why")\n  except Exception: pass\nf()\n', 1],
      ['exit(-1)\n', 255],
      ['raise SystemExit(2)\n', 2],
    ],
    'ends where a read or an event of its input file says so': [
      ['trick.add_read(0.02, "import sys; sys.exit(4)")\n', 4],
      [`${EVENT}ev.action(0, "quit(5)")\n`, 5],
    ],
    'ends with exit code 1 when a unit test has failed': [
      [`${TESTS}TRICK_EXPECT_EQ(1, 2, "s", "c")\n${STOP}`, 1],
      [`from trick.unit_test import *\nTRICK_EXPECT_TRUE(0, "s", "c")\ntrick_utest.unit_tests.enable()\n${STOP}`, 1],
      [`${TESTS}trick.add_test_result("s", "c", "too slow")\n${STOP}`, 1],
      [`${TESTS}trick.add_read(0.02, """TRICK_EXPECT_NEAR(1, 2, 0.5, "s", "c")""")\n${STOP}`, 1],
      [`${TESTS}TRICK_EXPECT_EQ(1, 2, "s", "c")\ntrick.exec_terminate_with_return(0, "f", 1, "end")\n`, 1],
      [`${TESTS}TRICK_EXPECT_EQ(1, 2, "s", "c")\ntrick.exec_terminate_with_return(7, "f", 1, "end")\n`, 7],
    ],
    'ends with exit code 0 when none has failed, or when they are not enabled': [
      [`${TESTS}TRICK_EXPECT_EQ(1, 1, "s", "c")\ntrick.add_test_result("s", "c", "")\n${STOP}`, 0],
      [`from trick.unit_test import *\nTRICK_EXPECT_EQ(1, 2, "s", "c")\n${STOP}`, 0],
      [`${TESTS}trick.trick_test_add_parent("s", "c", "123")\n${STOP}`, 0],
    ],
    'ends with exit code 255 when a read fails and errors end the run': [
      ['trick.terminate_on_event_parse_error(True)\ntrick.add_read(0.02, "fx.all.nope = 1")\n', 255],
      [`trick.terminate_on_event_parse_error(True)\ntrick.add_read(0.02, "1 +")\n${STOP}`, 255],
      [`trick.add_read(0.02, "fx.all.nope = 1")\n${STOP}`, 0],
    ],
  };
  for (const [what, texts] of Object.entries(CODES)) {
    for (const [text, code] of texts) {
      it(`${what}: ${text.replaceAll('\n', ' ⏎ ')}`, async () => {
        expect(await codeOf(text)).to.equal(code);
      });
    }
  }

  it('says what a text gave as the reason', async () => {
    await codeOf('import sys\nsys.exit("no fuel")\n');
    expect(end?.reason).to.equal('terminated with code 1: no fuel');
    expect(fixture.log.join('\n')).to.contain('no fuel');
  });

  it('goes on whatever clients ask for', async () => {
    await codeOf(`${TESTS}trick.terminate_on_event_parse_error(True)\n`);
    const client = fixture.connect();
    await fixture.ask(client, 'trick.var_set_send_stdio(True)\n');
    expect(await fixture.ask(client, 'fx.all.i = 8\nimport sys\nsys.exit(9)\nfx.all.i = 9\n')).to.equal('');
    expect(await fixture.ask(client, 'trick.var_send_once("fx.all.i")\n')).to.equal('5\t8\n');
    await fixture.ask(client, 'from trick.unit_test import *\nTRICK_EXPECT_EQ(1, 2, "s", "c")\nexit(1)\n');
    await fixture.ask(client, 'trick.add_read(0.12, "import sys; sys.exit(9)")\ntrick.add_read(0.12, "nope")\n');
    await fixture.ask(client, `${EVENT.replaceAll('ev', 'mine')}mine.action(0, "exit(9)")\n`);
    await fixture.pass(100);
    expect(end).to.equal(undefined);
    await fixture.frontEnd.runInput({ name: 'input.py', text: 'trick.stop(0.21)\n' });
    await fixture.pass(100);
    expect(end?.code).to.equal(0);
  });

  it('tells an input file, and no client, of its environment', async () => {
    await codeOf('home = trick.get_trick_env("HOME")\nprint(len(home) > 0, trick.env_get_var("PATH"))\n');
    expect(fixture.log.join('\n')).to.contain('True None');
    const client = fixture.connect();
    await fixture.ask(client, 'trick.var_set_send_stdio(True)\n');
    expect(await fixture.ask(client, 'print(trick.get_trick_env("HOME"), end="")\n')).to.match(/None/);
  });

  it('has attributes of variables by name', async () => {
    const client = fixture.connect();
    await fixture.ask(client, 'trick.var_set_send_stdio(True)\n');
    const said = await fixture.ask(
      client,
      'for name in ["i", "nope"]: print(hasattr(fx.all, name))\nsetattr(fx.all, "i", 9)\nprint(getattr(fx.all, "i"), getattr(fx, "nope", 5), hasattr(trick, "var_add"), callable(fx.all.kick), end="")\n',
    );
    expect(said.replaceAll(/4 1 \d+\n/g, '')).to.equal('True\nFalse\n9 m 5 True True');
  });
});
