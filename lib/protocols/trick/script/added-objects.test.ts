// An object that a client adds while others' texts are there changes nothing that they mean.
import { expect } from 'chai';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

describe('an object that a client has added', () => {
  let fixture: TrickFixture;
  let client: ReturnType<TrickFixture['connect']>;

  beforeEach(async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
    await fixture.ask(client, 'trick.var_pause()\ntrick.var_set_send_stdio(True)\n');
  });
  afterEach(() => fixture.close());

  const input = (text: string) => fixture.frontEnd.runInput({ name: 'input.py', text });
  const spawn = async (object: string): Promise<void> => {
    const by = { address: '127.0.0.1', session: 1 };
    await Promise.all([fixture.local.source.submit({ kind: 'spawn', object, components: [], by }), fixture.pass(20)]);
    expect(fixture.registry.source.catalog.object(object)).to.include({ isAdded: true });
  };
  const value = () => fixture.ask(client, 'trick.var_send_once("fx.all.d")\n');

  it("leaves the operator's event its names", async () => {
    await input('e = trick.new_event("safe")\ne.action(0, "count = 2\\nfx.all.d = 3 * count")\n');
    await spawn('count');
    await fixture.ask(client, 'safe.manual_fire()\n');
    await fixture.pass(20);
    expect(fixture.log.join('\n')).not.to.match(/TypeError/);
    expect(await value()).to.equal('5\t6\n');
  });

  it('does not hide an event of its name', async () => {
    await input('e = trick.new_event("other")\ne.action(0, "fx.all.d = 7")\n');
    await spawn('other');
    expect(await fixture.ask(client, 'other.manual_fire()\n')).to.equal('');
    await fixture.pass(20);
    expect(await value()).to.equal('5\t7\n');
  });

  it('is found where nothing else has its name', async () => {
    await spawn('pod');
    expect(await fixture.ask(client, 'print(pod)\n')).to.match(/<variable pod>/);
    expect(await fixture.ask(client, 'pod = 3\nprint(pod)\n')).to.match(/\n3/);
  });
});
