// Trick's Python module and display programs: how they ask, write and leave.
import { expect } from 'chai';
import { ENDINGS, GuiClient, serving } from './gui-client.js';

const FIXTURE = new URL('./fixture/fixture.js', import.meta.url);

describe("Trick's Python module variable_server.py", () => {
  const port = serving(FIXTURE, ['--no-discovery']);

  it('asks on one connection while messages come on another', async () => {
    const [sync, async_] = [await GuiClient.connect(port()), await GuiClient.connect(port())];
    sync.put('trick.var_pause()', 'trick.var_set_client_tag("mine_SYNC")');
    async_.put(
      'trick.var_set_client_tag("mine_ASYNC")',
      'trick.var_set_copy_mode(1)',
      'trick.var_set_write_mode(True)',
    );
    async_.put('trick.var_add("trick_sys.sched.time_tics", "xx")', 'trick.var_cycle(0.1)');
    sync.put(
      'trick.var_add("fx.all.i", "xx")',
      'trick.var_add("fx.all.w_d", "ft")',
      'trick.var_add("fx.all.count", "xx")',
    );
    sync.put('trick.var_send()', 'trick.var_clear()');
    const [indicator, inMetres, inFeet, without] = await sync.fields();
    expect(indicator).to.equal('0');
    expect(inMetres).to.match(/^-?\d+ \{m\}$/);
    expect(inFeet).to.match(/ \{ft\}$/);
    expect(without).to.match(/^-?\d+ \{--\}$/);
    expect(await sync.exists('fx.all.nothing')).to.equal('0');
    sync.put('trick.var_get_stl_size("fx.all.vi")');
    expect(await sync.fields()).to.have.length(2);
    sync.put('trick.var_set("fx.all.w_str", "text")', 'trick.var_set("fx.all.w_d", 3.5, "m")');
    sync.put('trick.var_validate_address(True)', 'trick.var_debug(0)');
    expect(await sync.read('fx.all.w_str', 'fx.all.w_d')).to.deep.equal(['text', '3.5']);
    for (let message = 0; message < 3; message++) {
      expect(await async_.wire.line()).to.match(/^0\t\d+00000 \{(--|1)\}$/);
    }
    // It closes its sockets without an exit command.
    sync.wire.close();
    async_.wire.drop();
    const next = await GuiClient.connect(port());
    expect(await next.exists('fx')).to.equal('1');
    await next.exit();
  });
});

describe("Trick's display clients", () => {
  const port = serving('sims/cannon.js', ['--no-discovery']);

  it('show the cannon, aim it, fire it and see it hit the ground', async () => {
    const client = await GuiClient.connect(port(), ENDINGS.display);
    client.put('trick.var_set_client_tag("CannonDisplay")');
    // One write, before the pause, so that no cyclic line comes in between.
    client.wire.send('trick.var_add("trick_sys.sched.mode")\ntrick.var_send() \ntrick.var_clear() \n');
    expect(await client.fields()).to.deep.equal(['0', '1']);
    client.put('trick.var_pause()');
    client.add(
      'dyn.cannon.impact',
      'dyn.cannon.pos[0]',
      'dyn.cannon.pos[1]',
      'dyn.cannon.vel[0]',
      'dyn.cannon.vel[1]',
      'trick_sys.sched.mode',
    );
    client.put('trick.var_ascii()', 'trick.var_cycle(0.050)', 'trick.var_unpause()');
    const shown = await client.fields();
    expect([shown.length, shown[1], shown[6]]).to.deep.equal([7, '0', '1']);
    client.wire.send(
      'dyn.cannon.init_speed = 10.0 ;\ndyn.cannon.init_angle = 0.785398 ;\ndyn.cannon.pos[0] = -0.10 ;\n',
    );
    await client.until((fields) => fields[2] === '-0.1');
    client.wire.send('trick.cannon_init( dyn.cannon );\n');
    await client.until((fields) => fields[2] === '0' && fields[4]!.startsWith('7.07'));
    client.wire.send('trick.exec_run();\n');
    const landed = await client.until((fields) => fields[1] === '1');
    expect(Number(landed[2])).to.be.closeTo((10 * 10) / 9.81, 1e-3);
    expect(landed[6]).to.equal('5');
    client.wire.send('trick.exec_freeze();\n');
    await client.until((fields) => fields[6] === '1');
    client.wire.drop();
  });

  it('hold text without a newline until one comes', async () => {
    const client = await GuiClient.connect(port());
    client.wire.send('dyn.cannon.time = 12.5 ;');
    client.wire.send('dyn.cannon.init_speed = 25.0 ;');
    client.wire.send('\n');
    expect(await client.read('dyn.cannon.time', 'dyn.cannon.init_speed')).to.deep.equal(['12.5', '25']);
    await client.exit();
  });

  it('answer the billiard table in one piece each, names separated by commas and blanks', async () => {
    const client = await GuiClient.connect(port());
    client.put('trick.var_send_once("dyn.cannon.impact")');
    expect(await client.wire.through((text) => text.endsWith('\n'), 'a line')).to.match(/^5\t[01]\n$/);
    client.put('trick.var_send_once("dyn.cannon.pos[0], dyn.cannon.pos[1], dyn.cannon.impact", 3)');
    const reply = await client.wire.through((text) => text !== '', 'one piece');
    expect(reply).to.match(/^5(\t\S+){3}\n$/);
    client.put(
      'trick.var_pause()',
      'trick.var_add("dyn.cannon.pos[0]")',
      'trick.var_cycle(0.010)',
      'trick.var_unpause()',
    );
    expect(await client.fields()).to.have.length(2);
    client.wire.drop();
  });
});

describe("the display of Trick's ball", () => {
  const port = serving('sims/trick-ball.js', ['--no-discovery']);

  it('shows where the ball is', async () => {
    const client = await GuiClient.connect(port(), ENDINGS.display);
    client.put('trick.var_set_client_tag("BallDisplay")', 'trick.var_pause()');
    client.add('ball.state.output.position[0]', 'ball.state.output.position[1]');
    client.put('trick.var_ascii()', 'trick.var_cycle(0.1)', 'trick.var_unpause()');
    const [first, second] = [await client.fields(), await client.fields()];
    for (const fields of [first, second]) {
      expect(fields).to.have.length(3);
      expect(Math.hypot(Number(fields[1]), Number(fields[2]))).to.be.within(0.1, 20);
    }
    expect(second).to.not.deep.equal(first);
    client.wire.drop();
  });
});

describe("the display of Trick's lander", () => {
  const port = serving('sims/trick-lander.js', ['--no-discovery']);

  it('shows the lander, and flies it by hand and by the height that it sets', async () => {
    const client = await GuiClient.connect(port(), ENDINGS.display);
    client.put('trick.var_set_client_tag("LanderDisplay")');
    client.wire.send('trick.var_add("trick_sys.sched.mode")\ntrick.var_send() \ntrick.var_clear() \n');
    expect(await client.fields()).to.deep.equal(['0', '5']);
    const own = ['pos[0]', 'pos[1]', 'angle', 'vel[0]', 'vel[1]', 'angleDot', 'throttle'];
    client.put('trick.var_pause()');
    client.add(...own.map((name) => `dyn.lander.${name}`), 'trick_sys.sched.mode');
    client.put('trick.var_ascii()', 'trick.var_cycle(0.100)', 'trick.var_unpause()');
    // It parses the throttle and the mode as whole numbers, and all else as numbers.
    const shown = await client.fields();
    expect(shown.slice(7)).to.deep.equal(['0', '5']);
    expect(shown.slice(1, 7).map(Number)).to.deep.equal([0, 1.8, 0, 0, 0, 0]);
    const command = (throttle: number, altitude: string): void => {
      client.wire.send(
        `dyn.lander.manual_throttle_change_command = ${throttle} ;\ndyn.lander.manual_rcs_command = 0 ;\n`,
      );
      client.wire.send(`${altitude}dyn.lander.downRangeCtrlEnabled = 0 ;\n`);
    };
    command(1, 'dyn.lander.altitudeCtrlEnabled = 0 ;\n');
    await client.until((fields) => Number(fields[7]) > 0);
    command(0, 'dyn.lander.altitudeCtrlEnabled = 1 ;\ndyn.lander.y_cmd = 3.00 ;\n');
    await client.until((fields) => Number(fields[2]) > 1.9);
    client.wire.drop();
  });
});
