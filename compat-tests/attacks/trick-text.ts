// Attacks in Trick text: little text that is long to compute, to keep or to explain.
import type { Attack } from './attack.js';
import { datagrams, lines, pour, sendAndLeave, sendAndStay } from './peer.js';

const STDIO = 'trick.var_set_send_stdio(True)';
/** Waits for what is under way: a client that pours blocks of this length keeps the server computing. */
const computing = (...commands: readonly string[]): Attack['run'] => {
  const text = lines(...commands);
  return pour(() => text, { pauseMillis: 5 });
};
const longText = (letter: string, length: number): string => `"${letter.repeat(length)}"`;

const LOOPS = 'while True: pass\n'.repeat(11_000);
const newNames = (round: number): string => Array.from({ length: 9000 }, (_, k) => `no_such_${round}_${k}`).join();

export const TRICK_TEXT: readonly Attack[] = [
  {
    name: 'A6-names',
    sends: 'events called trick, print and target, and commands after them',
    run: pour(
      (round) => lines(`e = trick.new_event("${['trick', 'print', 'target'][round % 3]}")`, 'trick.var_send()'),
      { pauseMillis: 1 },
    ),
  },
  {
    name: 'A7-names',
    sends: 'a list of 100,000 members that become texts of 50 KB, line after line',
    run: pour((round) => lines(`L[${round}]=${longText('x', 50_000)}`), { first: lines('L=[0]*100000') }),
  },
  {
    name: 'A7-reads',
    sends: 'add_read of texts of 50 KB for a time that does not come, line after line',
    run: pour((round) => lines(`trick.add_read(${90_000 + round}, ${longText('#', 50_000)})`)),
  },
  {
    name: 'O-reads-due',
    sends: 'add_read of while True: pass for each of the next 200 frames, over and over',
    run: pour(
      () =>
        lines('t = trick.exec_get_sim_time()', 'for k in range(200): trick.add_read(t + 0.01 * k, "while True: pass")'),
      { pauseMillis: 500 },
    ),
  },
  {
    name: 'O-reads-leave',
    sends:
      'add_read of while True: pass for each of the first 200 frames, from twenty connections that leave and come again',
    run: sendAndLeave(() => lines('for k in range(200): trick.add_read(0.01 * k, "while True: pass")'), 20, 300),
  },
  {
    name: 'O-loops-leave',
    sends: 'while True: pass, 11,000 times, from fifty connections that leave before it ends and come again',
    run: sendAndLeave(() => LOOPS, 50, 20),
  },
  {
    name: 'O-names-leave',
    sends:
      'var_send_once of 9,000 new unknown names, from twenty connections that leave before the answer and come again',
    run: sendAndLeave((round) => lines(`trick.var_send_once("${newNames(round)}", 9000)`), 20, 30),
  },
  {
    name: 'O-memory-leave',
    sends: 'texts of 50 KB in a list, without end, from thirty connections that leave after 100 ms and come again',
    run: sendAndLeave(() => lines('L=[]', 'while True: L.append("x" * 50000)'), 30, 100),
  },
  {
    name: 'B-compare',
    sends: '[[a]*100000]*50 == [[b]*100000]*50 with equal long texts',
    run: computing(
      `a=${longText('x', 30_000)}`,
      `b=${longText('x', 30_000)}`,
      'x = [[a]*100000]*50 == [[b]*100000]*50',
    ),
  },
  {
    name: 'B-in',
    sends: 's in L, twenty times, of 100,000 long texts',
    run: computing(
      `L=[${longText('x', 30_000)}]*100000`,
      `s=${longText('x', 29_999)}+"y"`,
      ...Array<string>(20).fill('r = s in L'),
    ),
  },
  {
    name: 'B-unknown-name',
    sends: 'an unknown name of 60 KB while the session holds four such',
    run: computing(
      ...['a', 'b', 'c', 'd'].map((letter) => `${letter.repeat(60_000)}=1`),
      `x = ${'abcd'.repeat(15_000)}`,
    ),
  },
  {
    name: 'B-var-set-path',
    sends: 'var_set of a path of 7,000 members, twenty times',
    run: computing(...Array<string>(20).fill('trick.var_set("target." + "member_number_"*7000, 1)')),
  },
  {
    name: 'B-repr',
    sends: 'repr of shared nested lists',
    run: computing('L=[1]*10', ...Array<string>(6).fill('L=[L]*10'), 's = repr(L)'),
  },
  { name: 'B-max', sends: 'max() of 100,000 long texts', run: computing(`m = max([${longText('x', 1000)}]*100000)`) },
  {
    name: 'B-integers',
    sends: 'big integers as text',
    run: computing('n = 7', ...Array<string>(30).fill('n = n * n'), 's = str(n)', 'print(n)'),
  },
  { name: 'B-long-line', sends: 'lines of just less than 200 KB', run: computing(`x = [${'1,'.repeat(99_990)}1]`) },
  {
    name: 'O-loop',
    sends: 'while True: pass, with what it prints to nobody',
    run: computing('while True: pass'),
  },
  { name: 'O-sort', sends: 'sorted() of 100,000 numbers', run: computing('L = sorted([3,1,2]*33000)') },
  {
    name: 'O-print',
    sends: 'print of 10 KB in a loop, read by nobody',
    run: pour(() => lines('for k in range(1000): print("x" * 10000)'), {
      first: lines(STDIO),
      reads: false,
      pauseMillis: 5,
    }),
  },
  {
    name: 'O-format',
    sends: 'f-strings of 100,000 columns',
    run: computing('for k in range(100): s = f"{k:>100000}"'),
  },
  {
    name: 'O-recursion',
    sends: 'a function that calls itself twice',
    run: computing('def f(n): return n if n < 2 else f(n-1) + f(n-2)', 'x = f(40)'),
  },
  {
    name: 'O-slices',
    sends: 'copies of slices of a list of 100,000',
    run: computing('L=[0]*100000', 'for k in range(1000): M = L[1:]'),
  },
  {
    name: 'O-brackets',
    sends: 'brackets 20,000 deep',
    run: computing(`x = ${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  },
  {
    name: 'O-sie',
    sends: 'send_sie_resource ten times, of 20,000 variables and more',
    run: pour(() => 'trick.send_sie_resource()\n'.repeat(10), { pauseMillis: 5 }),
  },
  {
    name: 'O-bad-refs',
    sends: 'var_add of names that nobody knows, a thousand at a time',
    run: pour((round) =>
      lines(...Array.from({ length: 1000 }, (_, k) => `trick.var_add("target.no_such_${round}_${k}")`)),
    ),
  },
  {
    name: 'O-datagrams',
    sends: 'datagrams with a question each',
    run: datagrams(() => 'trick.var_send_once("target.position[0]")\n'),
  },
  {
    name: 'O-churn',
    sends: 'connections that ask and leave, ten at a time',
    run: sendAndLeave(() => lines('trick.var_add("target.position")', 'trick.var_send()')),
  },
  {
    name: 'O-no-newline',
    sends: 'text without a newline',
    run: pour(() => 'x'.repeat(60_000)),
  },
  {
    name: 'O-clear-add',
    sends: 'var_add of 2,000 names and var_clear, over and over',
    run: pour(() =>
      lines(
        ...Array.from({ length: 2000 }, (_, k) => `trick.var_add("target.doubles[${k}]","ft")`),
        'trick.var_clear()',
      ),
    ),
  },
  {
    name: 'O-writes',
    sends: 'var_set, line after line',
    run: pour(() => 'trick.var_set("target.position[2]", 4.5)\n'.repeat(1000)),
  },
  {
    name: 'C-recording',
    sends: 'a recording with set_cycle(1e-6)',
    run: sendAndStay(
      lines(
        'g = trick.DRAscii("attack")',
        'g.set_cycle(1e-6)',
        'g.set_freq(trick.DR_Always)',
        'g.add_variable("target.position[0]")',
        'trick.add_data_record_group(g)',
        'g.enable()',
      ),
    ),
  },
  {
    name: 'C-recordings',
    sends: '540 recordings at 1 ms',
    run: sendAndStay(
      lines(
        ...Array.from({ length: 540 }, (_, k) =>
          lines(
            `g = trick.DRBinary("attack${k}")`,
            'g.set_cycle(0.001)',
            'g.set_freq(trick.DR_Always)',
            'g.add_variable("target.position[0]")',
            'trick.add_data_record_group(g)',
          ).trimEnd(),
        ),
      ),
    ),
  },
  {
    name: 'C-checkpoints',
    sends: '3,000 checkpoints in a loop',
    run: computing('for k in range(3000): trick.checkpoint("attack_" + str(k))'),
  },
  {
    name: 'C-loads',
    sends: 'a checkpoint and 3,000 loads of it in a loop',
    run: computing('trick.checkpoint("attack")', 'for k in range(3000): trick.load_checkpoint("attack")'),
  },
  {
    name: 'C-loads-names',
    sends: 'a recording whose 30 names are 4,000 characters of a< each, and 3,000 loads of its file in a loop',
    run: pour(() => lines('for k in range(3000): trick.load_checkpoint("log_attack.csv")'), {
      pauseMillis: 5,
      first: lines(
        'g = trick.DRAscii("attack")',
        ...Array.from({ length: 30 }, (_, k) => `g.add_variable("target.doubles[${k}]", "${'a<'.repeat(2000)}")`),
        'trick.add_data_record_group(g)',
      ),
    }),
  },
  {
    name: 'C-checkpoint-large',
    sends: 'checkpoint of 1,000,000 members',
    simArguments: ['--members', '1000000'],
    run: pour(() => 'trick.checkpoint("attack")\n', { pauseMillis: 3000 }),
  },
  {
    name: 'C-load-large',
    sends: 'checkpoint of 1,000,000 members, and load_checkpoint of it',
    simArguments: ['--members', '1000000'],
    run: pour(() => lines('trick.checkpoint("attack")', 'trick.load_checkpoint("attack")'), { pauseMillis: 5000 }),
  },
];
