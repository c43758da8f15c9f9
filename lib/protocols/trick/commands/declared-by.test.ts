// Whose declared memory is: the operator's stays as it is, and has its name before a client's.
import { expect } from 'chai';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

describe('memory that the operator declares', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  const ask = (text: string): Promise<string> => fixture.ask(client, `${text}\n`);
  const input = (text: string) => fixture.frontEnd.runInput({ name: 'input.py', text });
  const read = (name: string) => ask(`trick.var_send_once("${name}")`);

  beforeEach(async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
    await ask('trick.var_pause()');
  });
  afterEach(() => fixture.close());

  it('is not deleted or resized by a client, which can write it', async () => {
    await input('p = trick.TMM_declare_var_s("double opmem[2]")\nfx.all.far = p\nfx.all.far[1] = 3\n');
    await ask('trick.TMM_delete_var_n("opmem")\ntrick.TMM_delete_extern_var_n("opmem")');
    await ask('trick.TMM_resize_array_1d_n("opmem", 1)\ntrick.TMM_resize_array_n("opmem", 1, [1])');
    const refusals = fixture.log.filter((line) => line.includes('opmem was declared by the input file'));
    expect(refusals).to.have.length(4);
    expect(await read('fx.all.far')).to.equal('5\t0,3\n');
    await ask('trick.var_set("opmem[0]", 2)');
    expect(await read('opmem')).to.equal('5\t2,3\n');
  });

  it('comes instead of what a client has declared under its name', async () => {
    await input('trick.add_read(0.05, """trick.TMM_declare_var_s("int late_mem[2]")\nlate_mem[1] = 4""")\n');
    await ask('trick.TMM_declare_var_s("double late_mem[3]")');
    expect(await read('late_mem')).to.equal('5\t0,0,0\n');
    await fixture.pass(100);
    client.taken();
    expect(await read('late_mem')).to.equal('5\t0,4\n');
    await ask('trick.TMM_delete_var_n("late_mem")');
    expect(await read('late_mem')).to.equal('5\t0,4\n');
  });

  it('stays when clients of its name come later', async () => {
    await input('trick.TMM_declare_var_s("int opmem[1]")\nopmem[0] = 4\n');
    await ask('trick.TMM_declare_var_s("double opmem")');
    expect(fixture.log.join('\n')).to.match(/there is a variable opmem already/);
    expect(await read('opmem')).to.equal('5\t4\n');
  });
});
