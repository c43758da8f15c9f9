// Commands that act on the whole server: whose they are, and what a client is told.
import { expect } from 'chai';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

describe('commands that act on the whole server', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  const input = (text: string) => fixture.frontEnd.runInput({ name: 'input.py', text });
  const operator = (command: string) => input(`trick.${command}\n`);
  const ask = (...commands: string[]): Promise<string> =>
    fixture.ask(client, commands.map((command) => `trick.${command}\n`).join(''));
  const complaints = (text: string): Promise<string> => fixture.ask(client, `trick.var_set_send_stdio(True)\n${text}`);

  beforeEach(async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
    await ask('var_pause()');
  });
  afterEach(() => fixture.close());

  it('leave what the operator has set, of which a session is told once', async () => {
    const { server } = fixture;
    await operator('var_server_log_on()');
    await operator('var_server_set_user_tag("mine")');
    await operator('set_event_info_msg_off()');
    await operator('terminate_on_event_parse_error(False)');
    const texts = ['set_event_info_msg_on()', 'terminate_on_event_parse_error(True)', 'var_server_set_user_tag("x")'];
    for (const name of ['var_server_log', 'set_var_server_info_msg', 'set_var_server_log']) texts.push(`${name}_off()`);
    const said = await complaints(
      `${texts.map((text) => `trick.${text}`).join('\n')}\ntrick_vs.vs.set_var_server_log_off()\ntrick.var_add_ip("10.0.0.1")\n`,
    );
    expect(said.match(/nothing changes: what the operator has set for the whole server/g)).to.have.length(1);
    expect(said.match(/only the operator decides who may connect/g)).to.have.length(1);
    expect(fixture.log.join('\n')).to.include(
      '127.0.0.1:53412: nothing changes: what the operator has set for the whole server',
    );
    const { isTelling, endsOnError } = server.events;
    expect([server.isLogging, server.userTag, isTelling, endsOnError]).to.deep.equal([true, 'mine', false, false]);
    await operator('set_event_info_msg_on()');
    await ask('set_event_info_msg_off()', 'add_read(0, "trick.set_event_info_msg_off()")');
    await fixture.pass(50);
    expect(server.events.isTelling).to.equal(true);
  });

  it('are taken from clients as long as the operator has set nothing', async () => {
    const { server } = fixture;
    await ask('var_server_set_user_tag("x")', 'var_server_log_on()', 'set_event_info_msg_on()');
    expect([server.userTag, server.isLogging, server.events.isTelling]).to.deep.equal(['x', true, true]);
    await operator('var_server_log_off()');
    await ask('var_server_log_on()', 'set_event_info_msg_off()');
    expect([server.isLogging, server.events.isTelling]).to.deep.equal([false, false]);
  });

  it("take settings of the whole server from the operator's reads and events", async () => {
    await operator('add_read(0, "trick.set_event_info_msg_on()")');
    await fixture.frontEnd.runInput({
      name: 'input.py',
      text: 'e = trick.new_event("e")\ne.action(0, "trick.var_server_log_on()")\ne.manual_fire()\n',
    });
    await fixture.pass(50);
    expect([fixture.server.events.isTelling, fixture.server.isLogging]).to.deep.equal([true, true]);
  });
});
