// The command language and events for JSON clients: what a text answers, what ends a session, what an event viewer does.
import { expect } from 'chai';
import { TestBall } from '../../../testing/aids/http-ball.js';
import { TestServer } from '../../../testing/aids/http-exchange.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';
import { trickMethods } from './index.js';

const call = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params });

describe('Trick for JSON clients', () => {
  let fixture: TrickFixture;
  let server: TestServer;

  beforeEach(async () => {
    fixture = await startTrickFixture();
    const moreMethods = async () => trickMethods(fixture.frontEnd);
    server = new TestServer(new TestBall(), { moreMethods }, fixture.local.source);
  });
  afterEach(() => fixture.close());

  /** The answer to a call, while the simulation goes on. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says
  async function asked<T = any>(asking: Promise<T>): Promise<T> {
    let isDone = false;
    const done = (): void => {
      isDone = true;
    };
    asking.then(done, done);
    for (let count = 0; !isDone && count < 500; count++) await fixture.pass(1);
    return asking;
  }
  const ask = (method: string, params: object = {}) => asked(server.call(method, params));
  const run = (text: string) => ask('trick/run', { text });
  const problem = async (method: string, params: object) => (await asked(server.respond(method, params))).error.message;

  describe('trick/run', () => {
    it('answers the value of an expression', async () => {
      expect(await run('fx.all.d * 2')).to.deep.equal({ ok: true, output: [], value: '5 m', messages: [] });
      expect((await run('"a" + "b"')).value).to.equal("'ab'");
      expect((await run('None')).value).to.equal(null);
      expect((await run('fx.all.d3')).value).to.equal('[1, 2, 3]');
    });

    it('answers what is printed and what a connection would be sent, in order', async () => {
      const text =
        'print(1)\nimport sys\nsys.stderr.write("oh\\n")\nprint(2)\ntrick.var_exists("fx.all.d")\ntrick.var_add("fx.all.i")\ntrick.var_send()';
      expect(await run(text)).to.deep.equal({
        ok: false,
        output: [
          { stream: 'stdout', text: '1\n' },
          { stream: 'stderr', text: 'oh\n' },
          { stream: 'stdout', text: '2\n' },
        ],
        value: null,
        messages: ['1\t1', '0\t5'],
      });
    });

    it('writes no more lines to the log in a second than a connection may', async () => {
      const lines = () => fixture.log.filter((line) => line.includes('HDF5 is not written')).length;
      await run('for k in range(1000): g = trick.DRHDF5("g")');
      expect(lines()).to.equal(200);
      await run('trick.add_read(0, """for k in range(1000): g = trick.DRHDF5("g")""")');
      await fixture.pass(50);
      expect(lines()).to.equal(400);
    });

    it('logs what it publishes with the address of who has sent it', async () => {
      await run('trick.message_publish(3, "the server is closing")');
      expect(fixture.log.filter((line) => line.includes('closing'))).to.deep.equal([
        'client 127.0.0.1: the server is closing',
      ]);
    });

    it('shows what it has set before it answers, and says what was refused', async () => {
      expect(await run('fx.all.d = 7')).to.include({ ok: true });
      expect((await server.call('var/get', { aliases: ['fx.all.d'] })).values).to.deep.equal({ 'fx.all.d': 7 });
      const refused = await run('fx.all.fixed = 1');
      expect(refused.ok).to.equal(false);
      expect(refused.output[0].text).to.match(/fx.all.fixed/);
    });

    it('answers errors as the language prints them', async () => {
      const { ok, output } = await run('x = 1\nx.y.z');
      expect(ok).to.equal(false);
      expect(output[0].text).to.match(/^Traceback .*line 2/s);
      expect((await run('1 +')).output[0].text).to.match(/SyntaxError/);
    });

    it('stops what would run for ever, and goes on with the next text', async () => {
      expect((await run('sum(range(10**10))')).output[0].text).to.match(/RuntimeError: the block was stopped/);
      expect((await run('1')).value).to.equal('1');
    });

    it('leaves out what is more than two million characters', async () => {
      const names = Array(500).fill('ball.position').join();
      const send = `for i in range(600): trick.var_send_once("${names}", 500)`;
      const { output, messages } = await run(`for i in range(9): print("x" * 100000)\n${send}`);
      const texts = [...messages, ...output.map((each: { text: string }) => each.text)];
      expect(texts.join('').length).to.be.within(1_900_000, 2_010_000);
      expect(texts.at(-1)).to.equal('the rest is left out: a text may write 2000000 characters\n');
    });

    it('keeps names over a WebSocket, and `_`, and forgets them over HTTP', async () => {
      const peer = server.open();
      let id = 0;
      const say = async (text: string) => {
        await asked(peer.say(call(++id, 'trick/run', { text })));
        for (let count = 0; count < 50 && peer.texts.at(-1)?.id !== id; count++) await fixture.pass(1);
        return peer.texts.at(-1).result;
      };
      await say('x = 20');
      expect((await say('x + 1')).value).to.equal('21');
      expect((await say('_ * 2')).value).to.equal('42');
      await say('trick.var_exit()');
      expect((await say('x')).value).to.equal('20');
      expect((await run('x')).output[0].text).to.match(/NameError/);
      const before = fixture.registry.size;
      peer.leave();
      expect(fixture.registry.size).to.equal(before - 1);
    });

    it('keeps nothing of the texts that have ended while their WebSocket stays', async () => {
      const peer = server.open();
      const heard = new Map<unknown, number>();
      // A promise keeps whoever waits for it until it resolves.
      const { then } = Promise.prototype;
      const hear = function (this: Promise<unknown>, ...told: Parameters<typeof then>): unknown {
        heard.set(this, (heard.get(this) ?? 0) + 1);
        return then.apply(this, told);
      };
      Reflect.set(Promise.prototype, 'then', hear);
      try {
        for (let id = 0; id < 20; id++) {
          await peer.say(call(id, 'trick/run', { text: '1' }));
          while (peer.texts.at(-1)?.id !== id) await fixture.pass(1);
        }
      } finally {
        Reflect.set(Promise.prototype, 'then', then);
      }
      expect(Math.max(...heard.values())).to.be.below(20);
    });

    it('leaves nothing behind over HTTP', async () => {
      const before = fixture.registry.size;
      await Promise.all([run('1'), run('trick.var_add("fx.all.d")'), run('sum(range(10**10))')]);
      expect(fixture.registry.size).to.equal(before);
      expect(fixture.registry.ledger.held('keptBytes')).to.equal(0);
    });

    it('uses the computing time of the client that asks', async () => {
      const peer = server.open();
      await peer.say(call(1, 'trick/run', { text: '1' }));
      const names = [...fixture.registry.sessions].map(({ facts }) => `${facts.frontEnd} ${facts.transport}`);
      expect(names).to.include('trick json-rpc');
    });

    it('has its list among what sim/clients shows, as every Trick session has', async () => {
      const connection = fixture.connect();
      await fixture.ask(connection, 'trick.var_set_client_tag("viewer")\ntrick.var_add("fx.all.d")\n');
      const viewer = [...fixture.registry.sessions].find(({ tag }) => tag === 'viewer');
      expect([...(viewer?.reading() ?? [])]).to.deep.equal(['fx.all.d']);
    });

    it('is refused to a token that may only read', async () => {
      const tokens = new Map([['reader', 'read-only']] as const);
      const moreMethods = async () => trickMethods(fixture.frontEnd);
      const guarded = new TestServer(new TestBall(), { moreMethods, tokens }, fixture.local.source);
      const headers = { authorization: 'Bearer reader' };
      const { error } = await guarded.respond('trick/run', { text: '1' }, headers);
      expect(error.message).to.equal('your token may only read, and trick/run changes the simulation');
      expect((await guarded.respond('event/list', {}, headers)).result.events).to.deep.equal([]);
    });
  });

  describe('trick/complete', () => {
    const items = async (text: string, cursor?: number) =>
      (await ask('trick/complete', { text, ...(cursor !== undefined && { cursor }) })).items.map(
        (item: { text: string }) => item.text,
      );

    it('offers commands, objects, members, functions, events and labels', async () => {
      expect(await items('trick.var_un')).to.include.members(['trick.var_units', 'trick.var_unpause']);
      expect(await items('f')).to.include('fx');
      expect(await items('fx.al')).to.deep.equal(['fx.all', 'fx.all.kick']);
      expect(await items('print(fx.all.poi')).to.deep.equal(['fx.all.point', 'fx.all.points']);
      expect(await items('fx.all.points[1].')).to.deep.equal(['fx.all.points[1].x', 'fx.all.points[1].y']);
      expect(await items('ASC')).to.include('ASCENT');
      await run('go = trick.new_event("go")\ntrick.add_event(go)');
      expect(await items('g')).to.include('go');
      expect(await items('go.act')).to.include('go.activate');
    });

    it('completes at the cursor, and answers what is replaced', async () => {
      const text = 'a = fx.all.poi + 1';
      const answer = await ask('trick/complete', { text, cursor: 14 });
      expect(text.slice(answer.start, answer.end)).to.equal('fx.all.poi');
      expect(answer.items).to.have.length(2);
    });
  });

  describe('events', () => {
    const TEXT = [
      'pull = trick.new_event("pull")',
      'pull.set_cycle(0.5)',
      'pull.condition(0, "fx.all.i > 100", "too many")',
      'pull.action(0, "fx.all.i = 1")',
      'trick.add_event(pull)',
      'pull.activate()',
    ].join('\n');
    const only = async () => (await ask('event/list')).events[0];

    beforeEach(async () => {
      expect(await run(TEXT)).to.include({ ok: true });
    });

    it('are listed with their conditions and actions', async () => {
      const { ticker } = await ask('event/list');
      expect(ticker).to.be.greaterThan(0);
      const event = await only();
      expect(event).to.deep.include({ name: 'pull', active: true, added: true, mode: 'auto', cycle_sec: 0.5 });
      expect(event).to.deep.include({ fired_count: 0, fired_sec: null, owner: '127.0.0.1' });
      expect(event.conditions[0]).to.deep.include({ text: 'fx.all.i > 100', comment: 'too many', enabled: true });
      expect(event.actions[0]).to.deep.include({ text: 'fx.all.i = 1', enabled: true, ran_count: 0 });
    });

    it('are switched and put into manual mode, and the variables show it', async () => {
      await ask('event/active', { name: 'pull', active: false });
      await ask('event/condition', { name: 'pull', index: 0, enabled: false, hold: true });
      await ask('event/action', { name: 'pull', index: 0, enabled: false });
      const event = await only();
      expect(event.active).to.equal(false);
      expect(event.conditions[0]).to.include({ enabled: false, hold: true });
      expect(event.actions[0]).to.include({ enabled: false });
      const active = 'trick_ip.mtv.mtv_list[0][0].active';
      const hold = 'trick_ip.mtv.mtv_list[0][0].condition_list[0][0].hold';
      const { values } = await server.call('var/get', { aliases: [active, hold] });
      expect(values).to.deep.equal({ [active]: false, [hold]: 1 });
      for (const mode of ['on', 'off', 'auto']) {
        await ask('event/mode', { name: 'pull', mode });
        expect((await only()).mode).to.equal(mode);
      }
    });

    it('are fired, and their actions show', async () => {
      await ask('event/fire', { name: 'pull' });
      expect((await server.call('var/get', { aliases: ['fx.all.i'] })).values).to.deep.equal({ 'fx.all.i': 1 });
      expect(await only()).to.deep.include({ fired_count: 1, ran_count: 1 });
    });

    it('are named in refusals', async () => {
      expect(await problem('event/fire', { name: 'pul' })).to.equal('there is no event "pul"; did you mean pull?');
      expect(await problem('event/action', { name: 'pull', index: 3, enabled: true })).to.equal(
        'event/action: the event has 1 of them, none with the index 3',
      );
    });
  });
});
