// What input files do with other files: include them in any way that Python knows, import them, read them; and nothing else.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { InputFile } from '../../simulation/files/input-file.js';
import { startTrickFixture, type TrickFixture } from '../../testing/aids/trick-server.js';

/** Each includes `Modified_data/a.py`, which adds 1 to `n`. */
const INCLUDES: Readonly<Record<string, string>> = {
  'exec of open': 'exec(open("Modified_data/a.py").read())',
  'exec of compile, as 2to3 writes it': `exec(compile(open("Modified_data/a.py", "rb").read(), "Modified_data/a.py", 'exec'))`,
  'exec of compile with keywords': 'exec(compile(open("Modified_data/a.py").read(), filename="a.py", mode="exec"))',
  'a name that is a variable': 'f = "Modified_data/a.py"\nexec(open(f).read())',
  'a mode': 'exec(open("Modified_data/a.py", "r").read())',
  'a mode and an encoding by name': 'exec(open("Modified_data/a.py", mode="rt", encoding="utf-8").read())',
  'a name in two parts': 'd = "Modified_data/"\nexec(open(d + "a" + ".py").read())',
  'a formatted name': 'for k in ["a"]:\n    exec(open("Modified_data/%s.py" % k).read())',
  'os.path.join': 'import os\nexec(open(os.path.join("Modified_data", "a.py")).read())',
  'the directory of __file__':
    'import os\nhere = os.path.dirname(os.path.abspath(__file__))\nexec(open(here + "/Modified_data/a.py").read())',
  'a file that exists': 'p = "Modified_data/a.py"\nif os.path.exists(p) and os.path.isfile(p): exec(open(p).read())',
  'with open': 'with open("Modified_data/a.py") as f:\n    exec(f.read())',
  'with open, and compile':
    'with open("Modified_data/a.py", "rb") as f:\n    code = compile(f.read(), "a.py", "exec")\nexec(code, globals(), locals())',
  'an open file that is closed afterwards': 'f = open("Modified_data/a.py")\nt = f.read()\nf.close()\nexec(t)',
  'a function of its own': 'def include(name):\n    exec(open(name).read(), globals())\ninclude("Modified_data/a.py")',
  execfile: 'execfile("Modified_data/a.py")',
  'a file that includes it': 'exec(open("Modified_data/b.py").read())',
  'an import': 'sys.path.append("Modified_data")\nimport a\nn += a.n - 10',
  'an import of its names': 'import sys\nsys.path.insert(0, "Modified_data")\nfrom a import *\nn -= 10',
  'an import of one name': 'sys.path += [os.getcwd(), "Modified_data"]\nfrom a import n as m\nn += m - 10',
  'an import over another path': 'sys.path = ["Modified_data"]\nimport a\nn += a.n - 10',
  'an import by a dotted name': 'import Modified_data.a as a\nn += a.n - 10',
  'an import of names by a dotted name': 'from Modified_data.a import *\nn -= 10',
  'an import from a directory': 'from Modified_data import a\nn += a.n - 10',
  'an import by a name relative to another file': 'from Modified_data.c import n as m\nn += m - 10',
  'an import from beside another file': 'from Modified_data.deep.d import *\nn -= 10',
};

/** Of the server's process. */
const ENVIRONMENT = { JEOD_HOME: '/opt/jeod', SECRET_HOME: 'swordfish', TRICK_TOKEN: 'swordfish' };

describe('an input file and the files that it reads', () => {
  let fixture: TrickFixture;
  let directory: string;

  before(async () => {
    Object.assign(process.env, ENVIRONMENT);
    fixture = await startTrickFixture();
  });
  after(() => {
    for (const name of Object.keys(ENVIRONMENT)) delete process.env[name];
    return fixture.close();
  });

  beforeEach(() => {
    directory = realpathSync(mkdtempSync(join(tmpdir(), 'varwire-files-')));
    write('Modified_data/a.py', 'try:\n    n += 1\nexcept NameError:\n    n = 11\n_hidden = 1\n');
    write('Modified_data/c.py', 'from .a import *\n');
    write('Modified_data/deep/d.py', 'from . import e\nfrom ..c import n\n');
    write('Modified_data/deep/e.py', 'found = 1\n');
    write('Modified_data/b.py', 'exec(open("Modified_data/a.py").read())\n');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  function write(name: string, text: string | Buffer): void {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }

  /** Runs an input file of this text and returns what it prints and logs. */
  async function run(text: string | Buffer, directories: readonly string[] = []): Promise<string> {
    write('input.py', text);
    const said: string[] = [];
    const files = new InputFile(join(directory, 'input.py'), directories, (sentence) => said.push(sentence));
    fixture.log.length = 0;
    await fixture.frontEnd.runInput({ name: files.name, text: files.text, files });
    return [...said, ...fixture.log].join('\n');
  }

  async function failure(text: string, directories: readonly string[] = []): Promise<string> {
    try {
      await run(text, directories);
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('the file came to its end');
  }

  for (const [how, text] of Object.entries(INCLUDES)) {
    it(`are included by ${how}`, async () => {
      expect(await run(`n = 0\n${text}\nprint("n is", n)\n`)).to.contain('n is 1');
    });
  }

  it('name what Python 3 does anyway, and modules that are not here', async () => {
    expect(await run('from __future__ import print_function, division\nprint(1 / 2)\n')).to.contain('0.5');
    const beyond = 'ImportError: attempted relative import';
    expect(await failure('from .a import n\n')).to.contain(`${beyond} with no known parent package`);
    write('Modified_data/f.py', 'from ...a import n\n');
    expect(await failure('import Modified_data.f\n')).to.contain(`${beyond} beyond top-level package`);
    expect(await failure('import numpy\n')).to.match(/there is no module numpy here, only trick, sys, math, os, /);
  });

  it('are read as texts, whole, by lines or by parts', async () => {
    write('data.txt', 'one 1\r\ntwo 2\nthree 3');
    const text = [
      'print(len(open("data.txt").read()))',
      'for line in open("data.txt"):',
      '    print([line.strip()])',
      'with open("data.txt") as f:',
      '    print(f.readlines())',
      'f = open("data.txt")',
      'print([f.read(3), f.readline(), f.read(2), f.name, f.closed])',
      'print(open("data.txt", "rb").readline())',
      '',
    ];
    expect(await run(text.join('\n'))).to.include(
      "19\n['one 1']\n['two 2']\n['three 3']\n['one 1\\n', 'two 2\\n', 'three 3']\n['one', ' 1\\n', 'tw', 'data.txt', False]\nb'one 1\\r\\n'",
    );
    expect(await failure('f = open("data.txt")\nf.close()\nf.read()\n')).to.contain(
      'ValueError: I/O operation on closed file.',
    );
    expect(await failure('with 3 as x: pass\n')).to.contain(
      "'int' object does not support the context manager protocol",
    );
  });

  it('run nothing else: a text of another origin is refused in one sentence', async () => {
    for (const text of [
      'exec("n = 1")',
      'exec(open("Modified_data/a.py").read() + "x = 1")',
      'exec(compile("n = 1", "a.py", "exec"))',
      'exec(3)',
      'exec(b"n = 1")',
    ])
      expect(await failure(`${text}\n`), text).to.match(
        /RuntimeError: (exec|compile)\(\) takes a text that open\(\) has read from a file, as it is, and no other$/,
      );
    expect(await failure('eval("1")\n')).to.contain("name 'eval' is not defined");
    expect(await failure('exec(open("Modified_data/a.py").read(), {"n": 1})\n')).to.contain('exec() takes globals()');
    expect(await failure('open("out.txt", "w")\n')).to.contain('out.txt is not opened: files are only read here');
    expect(await failure('open("Modified_data/a.py", encoding="utf-16")\n')).to.contain('not as utf-16');
  });

  it('stay in the directories that the operator allows, whatever a link says', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'varwire-outside-'));
    try {
      writeFileSync(join(outside, 'x.py'), 'n = 5\n');
      symlinkSync(join(outside, 'x.py'), join(directory, 'link.py'));
      symlinkSync(outside, join(directory, 'linked'));
      for (const name of [
        'link.py',
        'linked/x.py',
        join(outside, 'x.py'),
        `${directory}/../${outside.split('/').pop()}/x.py`,
      ]) {
        expect(await failure(`open("${name}")\n`), name).to.match(
          /FileNotFoundError: .* is neither below the working directory/,
        );
        expect(await run(`print(os.path.exists("${name}"))\n`), name).to.contain('False');
      }
      expect(await failure(`sys.path.append("${outside}")\nimport x\n`)).to.contain('there is no module x here');
      expect(await run(`sys.path.append("${outside}")\nimport x\nprint("x.n is", x.n)\n`, [outside])).to.contain(
        'x.n is 5',
      );
      expect(await failure('open("/dev/zero")\n', ['/dev'])).to.contain('/dev/zero is not a file');
    } finally {
      rmSync(outside, { recursive: true });
    }
  });

  it('are bounded in size, in nesting and in their number', async () => {
    write('large.py', Buffer.alloc(16 * 1024 * 1024 + 1));
    expect(await failure('open("large.py")\n')).to.contain('large.py is larger than 16777216 bytes');
    write('again.py', 'exec(open("again.py").read())\n');
    expect(await failure('exec(open("again.py").read())\n')).to.contain(
      'RecursionError: files may include each other 50 deep',
    );
    expect(await failure('while True: open("Modified_data/a.py")\n')).to.contain('an input file reads 1000 files');
  });

  it('that are modules run once, with names of their own, and tell their place in errors', async () => {
    write('lib/__init__.py', 'print("lib runs")\n');
    write(
      'lib/tools.py',
      'count = 0\nnone = None\ndef step(by=1):\n    global count\n    count += by\n    return count\ndef fail():\n\n    nosuch\n',
    );
    write('circle.py', 'import circle\nprint(circle.__name__, __file__.endswith("circle.py"))\n');
    const log = await run(
      'import lib.tools\nimport lib.tools as t\nfrom lib.tools import step, none\ncount = 7\nstep()\nt.step(2)\nt.other = 1\nprint(lib.tools.count, count, t.other, __name__)\nimport circle\n',
    );
    expect(log).to.contain('lib runs\n3 7 1 __main__\ncircle True');
    expect(log.match(/lib runs/g)).to.have.length(1);
    expect(await failure('import lib.tools\n\nlib.tools.fail()\n')).to.match(
      /File ".*lib\/tools\.py", line 9, in <module>\nNameError: name 'nosuch' is not defined$/,
    );
    expect(await failure('from lib.tools import nothing\n')).to.contain(
      "cannot import name 'nothing' from 'lib.tools'",
    );
    write('bad.py', 'x = (1\n');
    expect(await failure('import bad\n')).to.match(/bad\.py", line 1\n.*\n.*\nSyntaxError: '\(' was never closed$/);
  });

  it('are there for the reads that the file adds, and for no client', async () => {
    await run(
      'n = 10\ntrick.add_read(0, """exec(open("Modified_data/a.py").read())\nprint("in a read", n)""")\nrd = open\nf = open("Modified_data/a.py")\nline = f.readline\n',
    );
    await fixture.pass(20);
    expect(fixture.log.join('\n')).to.contain('in a read 11');
    const client = fixture.connect();
    await fixture.ask(client, 'trick.var_pause()\ntrick.var_set_send_stdio(True)\n');
    for (const text of [
      'open("input.py")',
      'exec(open("x").read())',
      'execfile("x")',
      '__file__',
      'os.getcwd()',
      'sys.path',
    ])
      expect(await fixture.ask(client, `${text}\n`), text).to.match(
        /NameError: name '(open|exec|execfile|__file__)'|AttributeError/,
      );
    fixture.log.length = 0;
    await fixture.ask(client, 'trick.add_read(0, "line()\\nf.read()\\nrd(\'input.py\')")\n');
    await fixture.pass(20);
    expect(fixture.log.join('\n')).to.contain('OSError: files are read for the input file alone');
    // What clients read is a copy: the operator's file is where it was.
    expect(await run('print(line())\n')).to.contain('try:');
  });

  it('print to stderr, and call what they assign to', async () => {
    const log = await run(
      [
        'import os, sys, argparse, glob\nfrom trick.top import *',
        'print("to", os.path.exists("here"), file=sys.stderr)',
        'trick.sim_services.exec_set_trap_sigfpe = True',
        'print(trick.exec_set_trap_sigfpe(1))',
        '',
      ].join('\n'),
    );
    expect(log).to.match(/to False.*an assignment to it does nothing.*\n0/s);
    expect(await failure('print(1, file=3)\n')).to.contain('TypeError: print() writes to sys.stdout and sys.stderr');
    expect(await failure('trick.exec_set_nothing = 1\n')).to.contain('AttributeError');
    const client = fixture.connect();
    await fixture.ask(client, 'trick.var_pause()\ntrick.var_set_send_stdio(True)\n');
    expect(await fixture.ask(client, 'trick.exec_set_trap_sigfpe = 1\n')).to.contain('AttributeError');
    expect(await fixture.ask(client, 'import os\nos.system("ls")\n')).to.contain('AttributeError');
    expect(await fixture.ask(client, 'import sys\nprint("bad", file=sys.stderr)\n')).to.match(/^4 2 /);
  });

  it('see what is harmless of the environment, and no secret', async () => {
    const log = await run(
      [
        'import os',
        'print([os.environ[k] != "" for k in ["HOME", "PWD"]], os.environ["TRICK_HOME"] + "/bin", "USER" in os.environ)',
        'print(os.environ["JEOD_HOME"], os.getenv("JEOD_HOME"), os.environ.get("JEOD_HOME"), "/".join([os.getenv("JEOD_HOME"), "lib"]))',
        'print([n in os.environ for n in ["SECRET_HOME", "TRICK_TOKEN", "PATH"]], os.getenv("TRICK_TOKEN"), os.environ.get("TRICK_TOKEN", "none"))',
        'print("sword" in str(os.environ), os.path.expandvars("$JEOD_HOME/x:$" + "{JEOD_HOME}/y:$TRICK_TOKEN"))',
        'os.environ["MINE"] = "5"',
        'print(os.environ["MINE"], os.getenv("MINE"))',
        'print(os.path.isfile(os.environ["HOME"] + "/models/Display.jar"), os.path.normpath("a//b/../c/./d/"), os.path.split("a/b"))',
        '',
      ].join('\n'),
    );
    expect(log).to.contain(
      [
        '[True, True] /bin True',
        '/opt/jeod /opt/jeod /opt/jeod /opt/jeod/lib',
        '[False, False, False] None none',
        'False /opt/jeod/x:/opt/jeod/y:$TRICK_TOKEN',
        '5 5',
        "False a/c/d ('a', 'b')",
      ].join('\n'),
    );
    expect(await failure('os.environ["TRICK_TOKEN"]\n')).to.contain("KeyError: 'TRICK_TOKEN'");
    const client = fixture.connect();
    await fixture.ask(client, 'trick.var_pause()\ntrick.var_set_send_stdio(True)\n');
    expect(await fixture.ask(client, 'print(os.environ, os.getenv("HOME"))\n')).to.match(/\{\}.*None/s);
    fixture.log.length = 0;
    await fixture.ask(client, 'trick.add_read(0, "print(os.environ, os.getenv(\\"JEOD_HOME\\"))")\n');
    await fixture.pass(20);
    expect(fixture.log.join('\n')).to.contain('{} None');
  });

  it('may be in Latin-1, which is said once', async () => {
    const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
    write('Modified_data/l.py', latin1('name = "Zoë"\n'));
    const log = await run(
      latin1(
        'place = "Orléans"\nfor k in range(2): exec(open("Modified_data/l.py").read())\nprint(place, name, len(name))\n',
      ),
    );
    expect(log).to.contain('Orléans Zoë 3');
    expect(log.match(/Modified_data\/l\.py is no UTF-8, it is read as Latin-1/g)).to.have.length(1);
    expect(await run('# -*- coding: latin-1 -*-\nprint("Ã©", len("Ã©"))\n')).to.contain('Ã\u0083Â© 4');
    expect(await run('print("é", len("é"))\n')).to.contain('é 1');
  });
});
