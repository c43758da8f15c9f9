// Trick's Python module: it asks on one connection while messages come on another, and leaves without an exit command.
import { demand } from '../demand.js';
import { GuiClient } from '../gui-client.js';
import type { Logbook } from './logbook.js';
import { type Watch, watchLines } from './watch.js';

const FOLLOWED = /^0\t\d+ \{(?:--|1)\}(?:\t-?\d+ \{--\})?$/;

export class PythonModule {
  private constructor(
    private readonly sync: GuiClient,
    private readonly async_: GuiClient,
    private readonly followed: Watch<readonly string[]>,
  ) {}

  static async open(port: number, logbook: Logbook): Promise<PythonModule> {
    const [sync, async_] = [await GuiClient.connect(port), await GuiClient.connect(port)];
    sync.put('trick.var_pause()', 'trick.var_set_client_tag("soak_SYNC")');
    async_.put('trick.var_set_client_tag("soak_ASYNC")', 'trick.var_add("trick_sys.sched.time_tics", "xx")');
    async_.put('trick.var_add("fx.all.count", "xx")', 'trick.var_cycle(0.1)');
    const followed = watchLines("the Python module's list", async_, FOLLOWED, logbook);
    return new PythonModule(sync, async_, followed);
  }

  /** Sets its three ways to copy, one after another; those by simulation time need a running simulation. */
  async changeCopyMode(mode: 0 | 1 | 2): Promise<void> {
    this.async_.put(`trick.var_set_copy_mode(${mode})`, `trick.var_set_write_mode(${mode === 0 ? 'False' : 'True'})`);
    await this.followed.next(3);
  }

  async set(name: string, value: string, units?: string): Promise<void> {
    this.sync.put(`trick.var_set("${name}", ${value}${units ? `, "${units}"` : ''})`);
    await this.alive();
  }

  /** One value with its units, requested as get_value does. */
  async get(name: string, units = 'xx'): Promise<string> {
    this.sync.put(`trick.var_add("${name}", "${units}")`, 'trick.var_send()', 'trick.var_clear()');
    const [indicator, value, ...others] = await this.sync.fields();
    demand(indicator === '0' && value !== undefined && others.length === 0, `${name} was answered with ${value}`);
    return value;
  }

  async alive(): Promise<void> {
    demand((await this.sync.exists('fx.all.nothing')) === '0', 'fx.all.nothing is there');
  }

  drop(): void {
    this.followed.stop();
    this.sync.wire.drop();
    this.async_.wire.drop();
  }
}
