// Variables that clients declare while the simulation runs.
import { expect } from 'chai';
import type { MemoryConnection } from '../../../testing/aids/memory-connection.js';
import { startTrickFixture, type TrickFixture } from '../../../testing/aids/trick-server.js';

describe('variables that a client declares', () => {
  let fixture: TrickFixture;
  let client: MemoryConnection;
  const ask = (text: string, who = client): Promise<string> => fixture.ask(who, `${text}\n`);
  const read = async (names: string): Promise<string> => {
    const answer = await ask(`trick.var_send_once("${names}", ${names.split(',').length})`);
    if (answer !== '') return answer;
    // While frames carry much, who asks for one waits for that of the next tick.
    await fixture.pass(10);
    return client.taken();
  };

  beforeEach(async () => {
    fixture = await startTrickFixture();
    client = fixture.connect();
    await ask('trick.var_pause()');
  });
  afterEach(() => fixture.close());

  it('are read, written and recorded in every list like others', async () => {
    await ask('trick.TMM_declare_var_s("Point h[2]"); trick.TMM_declare_var_s("unsigned int n")');
    await ask('trick.var_set("h[1].x", 2.5); trick.var_set("n", 7)');
    expect(await read('h[1].x,h[0].x,n')).to.equal('5\t2.5\t0\t7\n');
    expect(await read('h[2].x,h')).to.equal('5\tBAD_REF\tBAD_REF\n');
  });

  it('stay when their maker goes, and can be deleted by another client of its address', async () => {
    const maker = fixture.connect();
    await ask('trick.TMM_declare_var_s("double h")', maker);
    maker.end();
    expect(await read('h')).to.equal('5\t0\n');
    await ask('trick.TMM_delete_var_n("h")');
    expect(await read('h')).to.equal('5\tBAD_REF\n');
  });

  it('are the targets of pointers, which become null when they are deleted', async () => {
    await ask('p = trick.TMM_declare_var_1d("double", 3)\nfx.all.far = p\nfx.all.far[2] = 1.5');
    expect(await read('fx.all.far')).to.equal('5\t0,0,1.5\n');
    await ask('trick.TMM_clear_var_a(p)');
    expect(await read('fx.all.far')).to.equal('5\t0,0,0\n');
    await ask('trick.TMM_delete_var_a(p)');
    expect(await read('fx.all.far[0]')).to.equal('5\tBAD_REF\n');
    await ask('fx.all.far = p');
    expect(await read('fx.all.far[0]')).to.equal('5\tBAD_REF\n');
  });

  it('get another length and keep their values, and names for memory without one', async () => {
    await ask('p = trick.TMM_declare_var_1d("int", 2)\ntrick.TMM_declare_ext_var_s(p, "int h[2]")');
    await ask('trick.var_set("h[1]", 5)');
    await ask('trick.TMM_resize_array_1d_n("h", 4)');
    expect(await read('h')).to.equal('5\t0,5,0,0\n');
    await ask('q = trick.TMM_resize_array_1d_n("h", 1)');
    expect(await read('h')).to.equal('5\t0\n');
    await ask('trick.var_set_send_stdio(True)');
    const answer = await ask('print(trick.get_size(q), trick.TMM_is_alloced(q), trick.TMM_var_exists("i"))');
    expect(answer.replace(/4 1 \d+\n/g, '')).to.equal('1 1 0\n');
  });

  it('say in the log who was refused, in as many lines a second as a client may have', async () => {
    await ask('trick.TMM_delete_var_n("nope")');
    expect(fixture.log.filter((line) => line.includes('nope'))[0]).to.match(/^client .*: there is no/);
    await ask('trick.TMM_declare_var_s("char most[16000000]")');
    for (let block = 0; block < 30; block++) {
      await ask('for k in range(10): trick.TMM_declare_var_s("char q[1000000]")');
    }
    // The first refusal was one of the 200 lines.
    expect(fixture.log.filter((line) => line.startsWith('client'))).to.have.length(200);
  });

  it('of several dimensions get other ones', async () => {
    await ask('p = trick.TMM_declare_var_s("int h[2][3]")');
    await ask('trick.var_set("h[0][0]", 1); trick.var_set("h[1][2]", 6)');
    await ask('q = trick.TMM_resize_array_n("h", 2, [3, 4])');
    expect(await read('h')).to.equal('5\t1,0,0,0,0,0,6,0,0,0,0,0\n');
    await ask('q = trick.TMM_resize_array_a(q, 2, (1, 2))');
    expect(await read('h,h[0][1],h[0][2]')).to.equal('5\t1,0\t0\tBAD_REF\n');
    await ask('trick.TMM_resize_array_a(p, 2, [2, 2])');
    expect(await read('h')).to.equal('5\t1,0\n');
  });

  it('are declared by the number of their type, and memory of it gets a name', async () => {
    await ask('trick.TMM_declare_var(trick.TRICK_DOUBLE, "", 0, "h", 2, [2, 2])\ntrick.var_set("h[1][1]", 2.5)');
    await ask('p = trick.TMM_declare_var(trick.TRICK_STRUCTURED, "Point", 0, "", 1, [2])');
    await ask('trick.TMM_declare_ext_var(p, trick.TRICK_STRUCTURED, "Point", 0, "g", 1, [2])\ng[1].x = 4');
    await ask('trick.TMM_declare_ext_var_1d(trick.TMM_declare_var_1d("unsigned int", 3), "unsigned int k", 3)');
    await ask('trick.TMM_declare_var(trick.TRICK_INTEGER, "", 0, "n", 0)\ntrick.var_set("n", 7)');
    await ask(
      'trick.TMM_declare_var(trick.TRICK_INTEGER, "", 1, "far", 0, None)\nfar = trick.TMM_declare_var_1d("int", 2)',
    );
    expect(await read('h,g[1].x,k,n')).to.equal('5\t0,0,0,2.5\t4\t0,0,0\t7\n');
    await ask('trick.TMM_declare_var_s("char * word")\ntrick.var_set("word", trick.TMM_strdup("abc"))');
    expect(await read('word')).to.equal('5\tabc\n');
  });

  it('of several dimensions count all their values', async () => {
    for (let k = 0; k < 25; k++) await ask(`trick.TMM_declare_var_s("double h${k}[10][10000]")`);
    expect(fixture.log.join('\n')).to.contain('bytes of names');
    expect(await read('h19[9][0],h24[0][0]')).to.equal('5\t0\tBAD_REF\n');
    for (let k = 1; k < 25; k++) await ask(`trick.TMM_delete_var_n("h${k}")`);
    await ask('trick.TMM_resize_array_n("h0", 2, [1000, 10000])');
    expect(await read('h0[999][0]')).to.equal('5\tBAD_REF\n');
    await ask('trick.TMM_resize_array_n("h0", 2, [20, 10000])');
    expect(await read('h0[19][9999]')).to.equal('5\t0\n');
  });

  for (const [text, sentence] of [
    ['trick.TMM_resize_array_n("fx", 1, 4)', 'TMM_resize_array_n() takes its dimensions in a list, not int'],
    ['trick.TMM_resize_array_n("fx", 2, [4])', 'announces 2 dimensions, and the list has 1'],
    ['trick.TMM_resize_array_n("fx", 1, [0.5])', 'takes whole numbers as dimensions, not float'],
    ['trick.TMM_resize_array_n("fx", 1, [4])', 'there is no variable fx that was declared'],
    ['trick.TMM_resize_array_a("fx", 1, [4])', 'there is no variable fx that was declared'],
    ['trick.TMM_declare_var(trick.TRICK_STL, "", 0, "h", 0)', 'TMM_declare_var() knows no type 24 to declare'],
    ['trick.TMM_declare_var(trick.TRICK_DOUBLE, "", 99, "h", 0)', 'TMM_declare_var() takes up to 8 stars, not 99'],
    ['trick.TMM_declare_var(trick.TRICK_DOUBLE, "", 0, "h; int k", 0)', 'is no declaration of a variable'],
    ['trick.TMM_declare_ext_var_1d(5, "int h", 3)', 'takes what TMM_declare_var_s has returned'],
    ['trick.TMM_declare_ext_var_1d(trick.TMM_declare_var_1d("int", 2), "int h", 3)', 'does not fit the memory'],
    ['trick.TMM_declare_var_s("nope h")', 'there is no type nope for "nope h"'],
    ['trick.TMM_declare_var_s("FxSimObject h")', 'there is no type FxSimObject for "FxSimObject h"'],
    ['trick.TMM_declare_var_s("double fx")', 'there is an object fx already'],
    ['trick.TMM_declare_var_s("double trick")', 'trick is a name of a protocol'],
    ['trick.TMM_declare_var_s("double trick_sys")', 'trick_sys is a name of a protocol'],
    ['trick.TMM_declare_var_s("double h[0]")', 'an array has 1 item or more, and "double h[0]" would have 0'],
    ['trick.TMM_declare_var_s("double h[")', '"double h[" is no declaration of a variable'],
    ['trick.TMM_declare_var_s("a" + " " * 60000 + "b")', 'is no declaration of a variable'],
    ['trick.TMM_declare_var_1d("double", -5)', 'an array has 1 item or more, and "double" would have -5'],
    ['trick.TMM_declare_var_s("double h[999999999]")', 'bytes of names'],
    ['trick.TMM_declare_var_s("double h[999999999][999999999][999999999]")', 'bytes of names'],
    ['trick.TMM_delete_var_n("fx")', 'there is no variable fx that was declared'],
    ['trick.TMM_resize_array_1d_n("fx", 4)', 'there is no variable fx that was declared'],
    ['p = trick.TMM_declare_var_s("Point")\nfx.all.far = p', 'fx.all.far points at double, not at Point'],
    ['fx.all.d = trick.TMM_declare_var_s("double")', 'fx.all.d is no pointer, an address does not fit'],
  ] as const) {
    it(`are refused with a sentence: ${text}`, async () => {
      await ask('trick.var_set_send_stdio(True)');
      const answer = await ask(text);
      expect(`${answer}${fixture.log.join('\n')}`).to.contain(sentence);
      expect(await read('fx.all.d,h')).to.equal('5\t2.5\tBAD_REF\n');
    });
  }

  it('take from what a client may keep, and give it back when they are deleted', async () => {
    for (let k = 0; k < 25; k++) await ask(`trick.TMM_declare_var_s("double h${k}[100000]")`);
    expect(fixture.log.join('\n')).to.contain('bytes of names');
    expect(await read('h19[0],h24[0]')).to.equal('5\t0\tBAD_REF\n');
    for (let k = 0; k < 20; k++) await ask(`trick.TMM_delete_var_n("h${k}")`);
    await ask('trick.TMM_declare_var_s("double h[100000]")');
    expect(await read('h[99999]')).to.equal('5\t0\n');
  });
});
