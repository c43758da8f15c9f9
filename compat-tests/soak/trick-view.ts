// Trick View: its data channel, its resource file and sizes on separate connections, and its strip chart.
import { demand } from '../demand.js';
import { GuiClient } from '../gui-client.js';
import type { Logbook } from './logbook.js';
import { NUMBER, type Watch, watchLines } from './watch.js';

/** Time, then `fx.all.w_d` in some unit of length, and sometimes `fx.all.w_str`. */
const WATCHED = new RegExp(`^0\\t\\d+(?:\\t${NUMBER} \\{(?:m|ft|km)\\}(?:\\t[a-z ]*\\d+)?)?$`);
const PLOTTED = new RegExp(`^0\\t\\d+(?:\\t${NUMBER} \\{m\\})?(?:\\t${NUMBER} \\{m/s\\})?$`);
const FEET_IN_METRE = 1 / 0.3048;

/** Opens the data channel, up to its first cyclic message. */
async function dataChannel(port: number): Promise<GuiClient> {
  const client = await GuiClient.shakeHands(port, 'TRICK_TV_DATA_CHANNEL');
  client.put('trick.var_pause()');
  const [tics] = await client.read('trick_sys.sched.time_tic_value');
  const [directory] = await client.read('trick_cmd_args.cmd_args.default_dir');
  demand(tics === '1000000' && /^\/./.test(directory ?? ''), `started with ${tics} and ${directory}`);
  client.add('trick_sys.sched.time_tics');
  client.put('trick.var_unpause()');
  return client;
}

export class TrickView {
  private constructor(
    private readonly port: number,
    private readonly client: GuiClient,
    private readonly table: Watch<readonly string[]>,
  ) {}

  static async open(port: number, logbook: Logbook): Promise<TrickView> {
    const client = await dataChannel(port);
    client.put('trick.var_cycle(0.1)', 'trick.var_validate_address(False)');
    const table = watchLines("Trick View's table", client, WATCHED, logbook);
    client.put('trick.var_add("fx.all.w_d", "m")');
    await table.until((fields) => fields.length === 3, 'a variable added');
    return new TrickView(port, client, table);
  }

  /** Changes the units back and forth, and the value in feet. */
  async changeUnits(metres: number): Promise<void> {
    this.client.put('trick.var_units("fx.all.w_d", "ft")');
    await this.table.until((fields) => fields[2]!.endsWith(' {ft}'), 'feet');
    this.client.put(`trick.var_set("fx.all.w_d", ${metres * FEET_IN_METRE}, "ft")`);
    const isNear = (factor: number) => (fields: readonly string[]) =>
      Math.abs(Number.parseFloat(fields[2]!) * factor - metres) < 1e-9 * metres;
    await this.table.until(isNear(1 / FEET_IN_METRE), `${metres} m in feet`);
    this.client.put('trick.var_units("fx.all.w_d", "km")');
    await this.table.until((fields) => fields[2]!.endsWith(' {km}') && isNear(1000)(fields), `${metres} m in km`);
    this.client.put('trick.var_units("fx.all.w_d", "m")');
    await this.table.until((fields) => fields[2]!.endsWith(' {m}') && isNear(1)(fields), `${metres} m`);
  }

  /** Adds a text, writes it (also with quotes, which the program does not escape), and removes it. */
  async editText(round: number): Promise<void> {
    this.client.put(`trick.var_set("fx.all.w_str", "new "name")`);
    // What a busy server reads together is one block, of which nothing is carried out.
    await this.table.next(6);
    this.client.put(`trick.var_set("fx.all.w_str", "round ${round}")`, 'trick.var_add("fx.all.w_str")');
    await this.table.until((fields) => fields[3] === `round ${round}`, `round ${round}`);
    this.client.put('trick.var_remove("fx.all.w_str")');
    await this.table.until((fields) => fields.length === 3, 'a variable removed');
  }

  /** Reads the resource file up to its last line. */
  async readResourceFile(): Promise<number> {
    const client = await GuiClient.shakeHands(this.port, 'TRICK_TV_SIE_CHANNEL');
    client.put('trick.send_sie_resource()');
    const [indicator, size] = await client.fields();
    const text = (await client.wire.bytes(Number(size))).toString('latin1');
    demand(indicator === '2' && text.endsWith('\n</sie>\n'), `a resource file of ${indicator} and ${size}`);
    await client.exit();
    return text.length;
  }

  async readSize(): Promise<void> {
    const client = await GuiClient.shakeHands(this.port, 'TRICK_TV_STL_SIZE_QUERY');
    client.put('trick.var_get_stl_size("fx.all.vd")');
    const answer = (await client.fields()).join();
    demand(answer === '6,3', `a size of ${answer}`);
    await client.exit();
  }

  async alive(): Promise<void> {
    await this.table.next(2);
  }

  drop(): void {
    this.table.stop();
    this.client.wire.drop();
  }
}

/** Plots the ball over time. */
export class StripChart {
  private constructor(
    private readonly client: GuiClient,
    private readonly points: Watch<readonly string[]>,
  ) {}

  static async open(port: number, logbook: Logbook): Promise<StripChart> {
    const client = await dataChannel(port);
    client.put(
      'trick.var_add("fx.ball.pos[1]", "m")',
      'trick.var_add("fx.ball.vel[1]", "m/s")',
      'trick.var_cycle(0.1)',
    );
    const chart = new StripChart(client, watchLines('the strip chart', client, PLOTTED, logbook));
    await chart.points.until((fields) => fields.length === 4, 'two curves');
    return chart;
  }

  async alive(): Promise<void> {
    await this.points.next(2);
  }

  drop(): void {
    this.points.stop();
    this.client.wire.drop();
  }
}
