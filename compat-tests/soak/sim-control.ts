// Trick's Sim Control: a socket for commands, one for the panel's state, and the message port.
import { demand } from '../demand.js';
import { ENDINGS, GuiClient } from '../gui-client.js';
import { WireClient } from '../wire-client.js';
import type { Logbook } from './logbook.js';
import { NUMBER, type Watch, watchLines } from './watch.js';

export const Mode = { freeze: 1, step: 4, run: 5 } as const;

const STATUS = [
  'trick_sys.sched.time_tics',
  'trick_sys.sched.mode',
  'trick_real_time.rt_sync.actual_run_ratio',
  'trick_real_time.rt_sync.active',
  'trick_instruments.debug_pause.debug_pause_flag',
  'trick_real_time.rt_sync.total_overrun',
];
const STATUS_FORM = new RegExp(`^0\\t\\d+\\t[0-7]\\t${NUMBER}\\t[01]\\t[01]\\t\\d+$`);
const START = [
  'trick_sys.sched.sim_start',
  'trick_sys.sched.terminate_time',
  'trick_sys.sched.time_tic_value',
  'trick_cmd_args.cmd_args.default_dir',
  'trick_cmd_args.cmd_args.cmdline_name',
  'trick_cmd_args.cmd_args.input_file',
  'trick_cmd_args.cmd_args.run_dir',
];
const PROBES = [
  'trick_instruments.debug_pause.debug_pause_flag',
  'trick_real_time.rt_sync.total_overrun',
  'trick_message.mdevice.port',
];
const MESSAGE =
  /^\|L {2,3}\d+\|[^|\x1b]+\|[^|\x1b]+\|fixture\|T 0\|\d+\.\d{6}\| \x1b\[(?:00|3[1236])m[^\x1b]*\n\x1b\[00m$/;

/** What the panel shows. */
export interface Panel {
  readonly tics: number;
  readonly mode: number;
  readonly isDebugPaused: boolean;
}

const panelOf = (fields: readonly string[]): Panel => ({
  tics: Number(fields[1]),
  mode: Number(fields[2]),
  isDebugPaused: fields[5] === '1',
});

export class SimControl {
  private constructor(
    private readonly commands: GuiClient,
    private readonly status: GuiClient,
    private readonly messages: WireClient,
    private readonly panel: Watch<readonly string[]>,
  ) {}

  static async open(port: number, logbook: Logbook): Promise<SimControl> {
    const commands = await GuiClient.shakeHands(port, 'SimControl', ENDINGS.simControl);
    // Trick's client does not pause, and takes a cyclic line that comes between its writes for an answer.
    commands.put('trick.var_pause()');
    demand((await commands.exists('trick_master_slave.master.num_slaves')) === '0', 'there is a master of slaves');
    const [, terminate, tics, ...texts] = await commands.read(...START);
    demand(/^\d+$/.test(terminate ?? '') && tics === '1000000', `terminate_time ${terminate}, time_tic_value ${tics}`);
    demand(!texts.includes(''), `an empty text among ${JSON.stringify(texts)}`);
    for (const probe of PROBES) demand((await commands.exists(probe)) === '1', `there is no ${probe}`);
    const [messagePort] = await commands.read('trick_message.mdevice.port');
    const messages = await WireClient.tcp(Number(messagePort));
    const status = await GuiClient.shakeHands(port, 'SimControl2', ENDINGS.simControl);
    status.add(...STATUS);
    status.put('trick.var_cycle(0.25)');
    const panel = watchLines("Sim Control's state", status, STATUS_FORM, logbook);
    return new SimControl(commands, status, messages, panel);
  }

  async freeze(): Promise<Panel> {
    this.put('trick.exec_freeze()');
    return this.until(({ mode }) => mode === Mode.freeze, 'a freeze');
  }

  async run(): Promise<Panel> {
    this.put('trick.exec_run()');
    return this.until(({ mode }) => mode === Mode.run, 'a run');
  }

  /** From a freeze, makes steps of one frame each, and returns to a freeze. */
  async step(steps: number): Promise<void> {
    this.put('trick.debug_pause_on()\ntrick.exec_run()\n');
    const paused = ({ mode, isDebugPaused }: Panel) => mode === Mode.step && isDebugPaused;
    let { tics } = await this.until(paused, 'a pause between steps');
    for (let step = 0; step < steps; step++) {
      this.put('trick.debug_signal()');
      const after = await this.until((panel) => panel.tics !== tics, 'a step');
      demand(after.tics - tics === 10_000, `a step of ${after.tics - tics} tics`);
      tics = after.tics;
    }
    this.put('trick.exec_freeze()', 'trick.debug_pause_off()');
    const frozen = await this.until(({ mode, isDebugPaused }) => mode === Mode.freeze && !isDebugPaused, 'its freeze');
    demand(frozen.tics === tics, `frozen at ${frozen.tics}, not at ${tics}`);
  }

  /** Writes a checkpoint of everything, and one of an object. Resolves when both are written. */
  async checkpoint(file: string): Promise<void> {
    this.put(`trick.checkpoint("${file}")`, `trick.checkpoint_objects("${file}_fx", "fx")`);
    await this.alive();
  }

  /** Loads a checkpoint. Resolves when it is loaded and its time is shown. */
  async load(file: string, tics: number): Promise<void> {
    this.put(`trick.load_checkpoint("${file}")`);
    await this.alive();
    await this.until((panel) => panel.tics === tics && panel.mode === Mode.freeze, `the time of ${file}, ${tics}`);
  }

  async switchRealTime(): Promise<void> {
    this.put('trick.real_time_disable() ');
    await this.panel.until((fields) => fields[4] === '0', 'real time off');
    this.put('trick.real_time_enable() ', 'trick.dr_disable()', 'trick.dr_enable()');
    await this.panel.until((fields) => fields[4] === '1', 'real time on');
  }

  /** Reads the messages that the pane shows since the last time; one of them is that of a failed command. */
  async readMessages(): Promise<number> {
    this.put('trick.no_such_command()');
    const isShown = (text: string) => text.includes('no_such_command') && text.endsWith('\n\x1b[00m');
    const text = await this.messages.through(isShown, 'the message of a command that fails');
    const messages = text.split(/(?<=\n\x1b\[00m)/);
    for (const message of messages) demand(MESSAGE.test(message), `not a message: ${JSON.stringify(message)}`);
    return messages.length;
  }

  async alive(): Promise<void> {
    demand((await this.commands.exists('fx.all.i')) === '1', 'Sim Control: fx.all.i is not there');
  }

  /** Ends as when the window is killed. */
  drop(): void {
    this.panel.stop();
    this.commands.wire.drop();
    this.status.wire.drop();
    this.messages.drop();
  }

  private put(...commands: readonly string[]): void {
    this.commands.put(...commands);
  }

  private async until(isMet: (panel: Panel) => boolean, expected: string): Promise<Panel> {
    return panelOf(await this.panel.until((fields) => isMet(panelOf(fields)), expected));
  }
}
