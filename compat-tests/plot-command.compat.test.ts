// `varwire plot` and `varwire export` as docs/recordings.md has them: pictures, tables, and the page.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { openRecording } from '../lib/index.js';
import { commandHere } from './command-here.js';
import { blocks, recordFlight, recordingsPage } from './documented-flight.js';

const COMMAND = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));

/** The variables of each plot in an address of the page. */
function layoutIn(address: string): unknown[] {
  const packed = address.trim().split('#layout=')[1] ?? '';
  const { tabs } = JSON.parse(inflateRawSync(Buffer.from(packed, 'base64url')).toString());
  return tabs[0].panels.map(({ settings }: { settings: { lines: unknown } }) => settings.lines);
}

/** What each command prints. */
const EXPECTED: readonly (readonly [command: RegExp, output: RegExp])[] = [
  [/^plot/, /^[▁-█]{60} {2}ball\.position\[0\] {2}0 to .* m\n[▁-█]{60} {2}ball\.position\[1\] {2}\S+ to \S+ m\n$/],
  [/^plot .*flight\.svg/, /^$/],
  [/^plot .*--x .*--png/, /^$/],
  [/^plot .*--layout/, /^$/],
  [/^export .*heights\.csv/, /^$/],
  [/^export .*--layout/, /^$/],
];

const PRODUCT = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE product PUBLIC "-//Tricklab//DTD Product V1.0//EN" "Product.dtd">
<product version="1.0"><title>Ball</title>
<page><title>Flight</title>
  <plot ymin="0" ymax="40"><title>H\xf6he</title><tstart>0.5</tstart><tstop>1</tstop>
    <xaxis><label>Zeit</label><units>s</units></xaxis>
    <curve><var>sys.exec.out.time</var><var units="ft" line_color="red" label="up">ball.position[1]</var></curve></plot>
  <plot y_scale="log"><curve><varcase><var>sys.exec.out.time</var><var>ball.gone</var></varcase>
    <varcase><var>sys.exec.out.time</var><var scale="2">ball.position[0]</var></varcase></curve></plot>
</page>
<page><plot><curve><var>ball.position[0]</var><var>ball.position[1]</var></curve>
  <curve><var>ball.position[0]</var><var>ball.speed</var></curve></plot></page>
<table><column><var>ball.position[1]</var></column></table></product>`;

/** What each command says of a file that asks for more than there is. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  plot: [
    'tables are left out: varwire export --layout writes them',
    'log_flight.trk has no ball.speed, or nothing to draw it over',
  ]
    .map((sentence) => `varwire: DP_ball.xml: ${sentence}\n`)
    .join(''),
  export: 'varwire: log_flight.trk has no ball.speed\n',
};

describe('docs/recordings.md about plots', () => {
  let directory: string;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'varwire-plots-'));
    await recordFlight(directory);
    writeFileSync(join(directory, 'DP_ball.xml'), PRODUCT, 'latin1');
  });
  after(() => rmSync(directory, { recursive: true }));
  /** The lines of the block that begins so. */
  const linesOf = (beginning: string): string[] =>
    (blocks(recordingsPage(), 'sh').find((block) => block.startsWith(beginning)) ?? '').trim().split('\n');

  it('has commands that draw and write', async () => {
    const lines = linesOf('varwire plot log_flight.trk ball.position --text');
    expect(lines).to.have.length(EXPECTED.length);
    for (const [index, line] of lines.entries()) {
      const [, ...args] = line.split(' ');
      const { output, code, complaint } = await commandHere(args, {}, directory);
      const [command, meant] = EXPECTED[index] as (typeof EXPECTED)[number];
      expect(args.join(' ')).to.match(command);
      expect(code, complaint).to.equal(0);
      expect(complaint).to.equal(line.includes('--layout') ? LEFT_OUT[args[0] ?? ''] : '');
      expect(output).to.match(meant);
    }
  });

  it('has a picture with a curve for each variable of each recording', async () => {
    const svg = readFileSync(join(directory, 'flight.svg'), 'utf8');
    expect(svg.match(/<polyline [^>]*points="[-\d., ]+"/g)).to.have.length(4);
    for (const name of ['ball.position[0], log_flight.trk (m)', 'ball.position[1], log_windy.trk (m)', 'time (s)'])
      expect(svg).to.include(`>${name}</text>`);
    expect(svg).to.not.match(/NaN|Infinity/);
    const refused = async (...args: string[]) => (await commandHere(['plot', ...args], {}, directory)).complaint;
    expect(await refused('log_flight.trk', 'ball.positio')).to.match(
      /^varwire: log_flight\.trk has no variable ball\.positio; did you mean/,
    );
    expect(await refused('log_flight.trk', 'ball.*', '--svg', 'flight.svg')).to.equal(
      'varwire: flight.svg is there already; --force replaces it\n',
    );
    expect(await refused('log_flight.trk', 'ball.*', '--svg', 'flight.png')).to.match(
      /^varwire: --svg takes a file that ends in \.svg/,
    );
    expect(await refused('log_flight.trk', 'ball.position[1]{kg}')).to.match(
      /^varwire: ball\.position\[1\]: expected units/,
    );
    expect(await refused('log_flight.trk')).to.match(/^varwire: varwire plot takes recordings and names/);
  });

  it('has pictures of pages, with their titles, units, ends, times, names and x', async () => {
    const [flight = '', plane = ''] = [1, 2].map((page) => readFileSync(join(directory, `ball-${page}.svg`), 'utf8'));
    const texts = [...flight.matchAll(/<text [^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(texts).to.include.members(['Flight', 'H\xf6he', 'Zeit (s)', 'up (ft)', '40', 'ball.position[0] (m)', '0.6']);
    expect(texts).to.not.include('1.2');
    const curves = [...flight.matchAll(/<polyline [^>]*stroke="([^"]*)" [^>]*points="([^"]*)"/g)];
    expect(curves.map(([, colour]) => colour)).to.deep.equal(['red', '#0072b2']);
    expect(curves[0]?.[2]?.split(' ')).to.have.length(6);
    const [across = ''] = /points="[^"]*"/.exec(plane) ?? [];
    expect(across.split(' ')).to.have.length(20);
    // Width and height of a PNG.
    const png = readFileSync(join(directory, 'plane.png'));
    expect([png.toString('latin1', 1, 4), png.readUInt32BE(16), png.readUInt32BE(20)]).to.deep.equal([
      'PNG',
      1920,
      876,
    ]);
    for (const page of [flight, plane]) expect(page).to.not.match(/NaN|Infinity/);
    // The text of Trick 05 has the same pages.
    const dp = 'PLOTS: PAGE 1: "P" PLOT 1: "Up" Y_VARIABLE: "ball.position[1]" UNITS: "ft"';
    writeFileSync(join(directory, 'ball.dp'), dp);
    const made = await commandHere(
      ['plot', 'log_flight.trk', 'log_windy.trk', '--layout', 'ball.dp', '--svg', 'dp.svg'],
      {},
      directory,
    );
    expect(made).to.include({ code: 0, complaint: '' });
    expect(readFileSync(join(directory, 'dp.svg'), 'utf8')).to.include('>ball.position[1], log_windy.trk (ft)<');
    const refused = async (file: string, text: string, ...more: string[]) => {
      writeFileSync(join(directory, file), text);
      const args = ['plot', 'log_flight.trk', '--layout', file, ...more];
      return (await commandHere(args, {}, directory)).complaint.trimEnd();
    };
    expect(await refused('a.dp', dp, '--text')).to.match(/^varwire: --text is for variables over time/);
    expect(await refused('a.dp', dp, 'ball.position', '--svg', 'a.svg')).to.match(/^varwire: varwire plot takes/);
    expect(await refused('b.dp', 'PLOTS: PAGE', '--svg', 'b.svg')).to.match(
      /^varwire: b\.dp is no file of Trick's data products: /,
    );
    expect(await refused('c.xml', '<product><page>', '--svg', 'c.svg')).to.match(
      /^varwire: c\.xml is no file of [^\n]*$/,
    );
    expect(await refused('d.xml', '<simulation/>', '--svg', 'c.svg')).to.include('it begins with <simulation>');
    expect(await refused('e.dp', dp.replace('"ft"', '"kg"'), '--svg', 'e.svg')).to.match(
      /^varwire: ball\.position\[1\]: expected units that convert/,
    );
    expect(await refused('f.dp', dp.replace('[1]', '[7]'), '--svg', 'f.svg')).to.equal(
      'varwire: log_flight.trk has no ball.position[7], or nothing to draw it over; there is nothing to draw',
    );
  });

  it('writes what plots and tables show as a table, of several recordings on one time', async () => {
    const tableOf = (file: string): string[][] =>
      readFileSync(join(directory, file), 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => line.replaceAll('"', '').split(','));
    const [head, ...rows] = tableOf('heights.csv');
    expect(head).to.deep.equal(['sys.exec.out.time {s}', 'run1.ball.position[1] {ft}', 'run2.ball.position[1] {ft}']);
    const flight = openRecording(join(directory, 'log_flight.trk'));
    const heights = flight.values(flight.columns[2]!).map((height) => Number(height) / 0.3048);
    flight.close();
    expect(rows).to.have.length(20);
    for (const [row, [, calm]] of rows.entries()) expect(Number(calm)).to.be.closeTo(heights[row]!, 1e-9);
    expect(tableOf('ball.csv')[0]?.slice(1)).to.deep.equal([
      'ball.position[1] {ft}',
      '2 * ball.position[0] {m}',
      'ball.position[0] {m}',
      'ball.position[1] {m}',
    ]);
    const refused = async (...args: string[]) => (await commandHere(['export', ...args], {}, directory)).complaint;
    expect(await refused('log_flight.trk', 'ball.position')).to.match(
      /^varwire: varwire export takes recordings, names/,
    );
    expect(await refused('log_flight.trk', 'ball.position{kg}', '-o', 'no.csv')).to.match(/^varwire: ball\.position: /);
    expect(await refused('log_flight.trk', '-o', 'ball.csv')).to.match(/^varwire: ball\.csv is there already/);
    expect(existsSync(join(directory, 'no.csv'))).to.equal(false);
  });

  it('has a command that serves the page on variables of recordings, and has a browser open it', async () => {
    const [line = '', ofServer = ''] = linesOf('varwire plot log_flight.trk log_windy');
    const [browser, opened] = [join(directory, 'browser'), join(directory, 'opened')];
    writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$@" > '${opened}.part'; mv '${opened}.part' '${opened}'\n`, {
      mode: 0o755,
    });
    const [, ...args] = line.split(' ');
    const child = spawn(process.execPath, [COMMAND, ...args], {
      cwd: directory,
      env: { ...process.env, BROWSER: browser },
    });
    let said = '';
    child.stdout.on('data', (piece) => {
      said += piece;
    });
    try {
      while (!existsSync(opened)) await new Promise((resolve) => setTimeout(resolve, 20));
      const address = readFileSync(opened, 'utf8');
      expect(said).to.match(/^([▁-█]{60} {2}run\d\.ball\.position\[\d\] .*\n){4}Browser {3}http:\S+\n$/);
      expect(said.endsWith(`Browser   ${address}`)).to.equal(true);
      expect(layoutIn(address)).to.deep.equal([[{ alias: 'ball.position[0]' }, { alias: 'ball.position[1]' }]]);
      const port = new URL(address.trim()).port;
      const here = (...words: string[]) => commandHere(words, {}, directory);
      const { output } = await here(...ofServer.replace('localhost:7000', port).split(' ').slice(1), '--no-open');
      expect(output).to.equal(`Browser   ${address}`);
      const inFeet = await here('plot', port, 'ball.position[1]{ft}', '--no-open');
      expect(layoutIn(inFeet.output)).to.deep.equal([[{ alias: 'ball.position[1]', units: 'ft' }]]);
      const other = ofServer.replace('localhost:7000', port).replace('position', 'positon').split(' ').slice(1);
      expect((await here(...other)).complaint).to.match(
        /^varwire: there is no variable ball\.positon; did you mean ball\.pos/,
      );
    } finally {
      child.kill();
    }
  });
});
