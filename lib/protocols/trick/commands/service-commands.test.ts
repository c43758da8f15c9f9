// Commands that say something, that change jobs, and that are taken without doing anything; and what the log says.
import { expect } from 'chai';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

describe('the commands', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  let runs = 0;
  let cycleSeconds = 0;

  /** What a block prints to both streams. */
  const printed = async (...lines: readonly string[]): Promise<string> => {
    const text = `trick.var_set_send_stdio(True)\n${lines.join('\n')}\n`;
    return (await fixture.ask(client, text)).replace(/4 [12] \d+\n/g, '').trim();
  };
  const quietly = (...lines: readonly string[]): Promise<string> => fixture.ask(client, `${lines.join('\n')}\n`);
  /** Lines of the log that a pattern matches, without the client's address. */
  const logged = (pattern: RegExp): string[] =>
    fixture.log.filter((line) => pattern.test(line)).map((line) => line.replace(/^client \S+: /, ''));

  beforeEach(async () => {
    runs = 0;
    fixture = await startTrickFixture({
      build: (sim) => {
        const count = (seconds: number): void => {
          runs++;
          cycleSeconds = seconds;
        };
        sim.job(0.05, count, { name: 'fx.count' });
      },
    });
    client = fixture.connect();
    await quietly('trick.var_pause()');
  });
  afterEach(() => fixture.close());

  describe('on jobs', () => {
    it('skip one, and let it run again', async () => {
      expect(await printed('print(trick.exec_set_job_onoff("fx.count", 1, False))')).to.equal('0');
      const before = runs;
      await fixture.pass(200);
      expect(runs).to.equal(before);
      expect(await printed('print(trick.exec_set_sim_object_onoff("fx", True))')).to.equal('0');
      await fixture.pass(200);
      expect(runs).to.be.within(before + 3, before + 5);
    });

    it('switch one as an object', async () => {
      await quietly('job = trick.exec_get_job("fx.count", 0)\njob.disable()');
      const before = runs;
      await fixture.pass(200);
      expect(runs).to.equal(before);
      expect(await printed('job.enable()\nprint(job.name, trick.exec_get_job("no"))')).to.match(/^fx\.count\s+None$/);
      await fixture.pass(200);
      expect(runs).to.be.within(before + 3, before + 5);
    });

    it('give one another cycle, and tell it', async () => {
      expect(await printed('print(trick.exec_set_job_cycle("fx.count", 1, 0.1))')).to.equal('0');
      expect(await printed('print(trick.exec_get_job_cycle("fx.count"))')).to.equal('0.1');
      await fixture.pass(200);
      expect(cycleSeconds).to.equal(0.1);
    });

    it('refuse a cycle shorter than the frame with a sentence', async () => {
      expect(await printed('print(trick.exec_set_job_cycle("fx.count", 1, 1e-6))')).to.match(
        /^job fx\.count cannot have a cycle shorter than the simulation's own software frame.*\s-1$/s,
      );
      expect(await printed('print(trick.exec_get_job_cycle("fx.count"))')).to.equal('0.05');
    });

    it('answer -1 for what is not there', async () => {
      const asked = ['exec_set_job_onoff("fx.no", 1, True)', 'exec_set_job_cycle("fx.count", 2, 1)'];
      asked.push('exec_get_job_cycle("no")', 'exec_set_sim_object_onoff("no", True)');
      expect(await printed(`print(${asked.map((call) => `trick.${call}`).join(', ')})`)).to.match(
        /^-1\s+-1\s+-1\s+-1$/,
      );
    });
  });

  describe('that remember a switch', () => {
    it('show it in the variable and in what they answer', async () => {
      const lines = ['print(trick.exec_get_trap_sigfpe())', 'trick.exec_set_trap_sigfpe(True)'];
      expect(await printed(...lines, 'print(trick.exec_get_trap_sigfpe())')).to.match(/^0\s+1$/);
      expect(await quietly('trick.var_send_once("trick_sys.sched.trap_sigfpe")')).to.equal('5\t1\n');
    });
  });

  describe('that say something', () => {
    it('log it without a word of the client for readers of messages, and answer 0', async () => {
      expect(await printed('print(trick.message_publish(trick.MSG_WARNING, "careful\\n"))')).to.equal('0');
      await quietly('trick.send_hs(0, "history")');
      expect(logged(/careful|history/)).to.deep.equal(['careful', 'history']);
    });

    it('write to the session, and count it as printed', async () => {
      expect(await quietly('trick.var_set_send_stdio(True)', 'trick.var_write_stdio(2, "oh")')).to.equal('4 2 2\noh');
      expect(await printed('trick.var_write_stdio(3, "oh")')).to.equal('var_write_stdio takes stream 1 or 2, not 3');
      expect(await printed('for k in range(11): trick.var_write_stdio(1, "x" * 100000)')).to.match(
        /the block was stopped after printing 1000000 characters$/,
      );
    });
  });

  describe('without a meaning here', () => {
    it('are taken, answer 0 and say so once in the log', async () => {
      const lines = ['print(trick.itimer_enable())', 'trick.itimer_enable()', 'trick.exec_set_lock_memory(1)'];
      expect(await printed(...lines, 'trick.exec_set_thread_process_type(1, trick.PROCESS_TYPE_AMF_CHILD)')).to.equal(
        '0',
      );
      expect(logged(/itimer/)).to.deep.equal([
        'trick.itimer_enable is taken and does nothing: the clock of this process paces the run',
      ]);
      expect(logged(/taken and does nothing/)).to.have.length(3);
    });

    it('give programs that take whatever they are told, and start none', async () => {
      const lines = ['panel = trick.SimControlPanel()', 'panel.set_host("x")', 'panel.thisown = 0'];
      lines.push('trick.add_external_application(panel)', 'view = trick.TrickView()', 'print(view.set_auto(1, 2))');
      expect(await printed(...lines)).to.equal('None');
    });
  });

  describe('that read what started the run', () => {
    it('tell words and directories', async () => {
      const calls = ['get_argc()', 'get_argv(0)', 'get_argv(7)', 'get_output_dir()', 'get_default_dir()'];
      expect(await printed(...calls.map((call) => `print(trick.command_line_args_${call})`))).to.equal(
        `1\nfixture.ts\n\n${fixture.registry.source.info.runDirectory}\n/sims`,
      );
      expect(await printed('print([str(word) for word in trick.command_line_args_get_argv()])')).to.equal(
        "['fixture.ts']",
      );
    });
  });

  describe('on who may connect', () => {
    it('tell what holds, and change it where clients have rules', async () => {
      const tell = 'print(trick.var_get_allow_connections(), trick.var_get_ip_check_bypass())';
      expect(await printed(tell)).to.match(/^1\s+1$/);
      fixture.server.hasClientRules = true;
      await quietly('trick.var_set_allow_connections(False)', 'trick.var_set_ip_check_bypass(True)');
      expect(fixture.allowed).to.deep.equal(['open false', 'forget']);
    });
  });

  describe('on variables that do not exist', () => {
    it('name each once in the log, with the nearest', async () => {
      await quietly('trick.var_add("fx.all.dd")', 'trick.var_add("fx.all.dd")', 'trick.var_send_once("fx.all.nn")');
      const sentences = logged(/could not find variable/);
      expect(sentences).to.have.length(2);
      expect(sentences[0]).to.match(/^Variable Server could not find variable fx\.all\.dd \(.*did you mean .*\)\.$/);
    });

    it('name no more than a hundred of a session', async () => {
      client.send('for k in range(300): trick.var_add("no" + str(k))\ntrick.var_send_list_size()\n');
      await fixture.answer(client);
      expect(logged(/could not find variable/)).to.have.length(100);
      expect(logged(/could not find variable no99\.$/)).to.have.length(1);
    });

    it('name one on a line of its own, whatever its characters', async () => {
      await quietly('trick.var_add("no\\nerror: all is lost")');
      expect(logged(/all is lost/)).to.deep.equal(['Variable Server could not find variable no?error: all is lost.']);
    });

    it('say the nearest command for one that does not exist', async () => {
      await quietly('trick.var_ad("fx.all.d")');
      expect(logged(/no attribute 'var_ad'; did you mean var_add/)).to.have.length(1);
    });

    it('say nothing when "--" asks for no conversion', async () => {
      await quietly('trick.var_add("fx.all.d", "--")', 'trick.var_units("fx.all.d", "--")');
      expect(logged(/conversion/)).to.deep.equal([]);
    });
  });
});
