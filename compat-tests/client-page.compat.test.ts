// The commands and the program of docs/client.md, unchanged but for the port, against the ball.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { transformSync } from 'esbuild';
import { PATIENCE_MILLIS } from '../lib/testing/aids/patience.js';
import { commandHere } from './command-here.js';
import { ServerHere, showOutputOfFailure } from './launch.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const COMMAND = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));
const SEPARATOR = '---';

const PAGE = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8');
const blocksOf = (language: string): string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block);
const [COMMANDS = ''] = blocksOf('sh');
/** The programs, and what each must print. */
const PROGRAMS: readonly (readonly [name: string, text: string, output: RegExp])[] = [
  ['the client', blocksOf('ts')[0] ?? '', /^0\.01 \[ [-\d.]+, [-\d.]+ \] ft\n[\d.]+ \[ /],
  ['names and types', blocksOf('ts')[1] ?? '', /^[-\d.]+ [\d.]+ [\d.]+ \[ [-\d.]+, [-\d.]+ \]\n$/],
];

/** What each command must print; `watch` prints on until it is ended, and `find` what is announced, if anything. */
const EXPECTED: readonly (readonly [command: RegExp, output: RegExp])[] = [
  [/\{ft\}/, /^ball\.position\t.*\tft\nball\.velocity\t.*\tm\/s\n$/],
  [/^varwire freeze/, /^freeze\t[\d.]+\ts\n$/],
  [/^varwire step/, /^freeze\t[\d.]+\ts\n$/],
  [/^varwire run/, /^run\t[\d.]+\ts\n$/],
  [/^varwire call/, /^$/],
  [/^varwire status/, /^name\tball\nmode\trun\n/],
  [/^varwire send/, /^[\d.]+\n$/],
  [/ft\/s/, /^ball\.velocity\t\[?[-\d.e, ]+\]?\tft\/s\n$/],
  [/^varwire get/, /^ball\.position\t.*\tm\nball\.velocity\t.*\tm\/s\n$/],
  [/^varwire set/, /^ball\.position\t\[?0, ?[\d.e-]+\]?\tm\n$/],
  [/^varwire watch/, /^[\d.]+\t.*\t\S+\n[\d.]+\t.*\t\S+\n/],
  [/^varwire types/, /readonly 'ball\.position': readonly number\[\];/],
  [/^varwire list/, /^ball\.position\b.*\nball\.velocity\b/m],
  [/^varwire history/, /^time \{s\},ball\.position\[1\]\n/],
  [/^varwire events/, /^NAME +STATE +FIRED /],
  [/^varwire messages/, /^TIME +LEVEL +TEXT\n[\d.]+ +\w+ /],
  [/^varwire clients/, /^ADDRESS +PROTOCOL [\s\S]*^127\.0\.0\.1/m],
  [/^varwire find/, /^/],
];

describe('docs/client.md', () => {
  let server: ServerHere;

  before(async () => {
    server = await ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--udp', 'off'] });
  });
  afterEach(function () {
    showOutputOfFailure(this, server);
  });
  after(() => server.stop());

  /** Runs a program until its output matches and, unless it ends by itself, ends it. */
  async function outputOf(args: readonly string[], isEnough?: RegExp): Promise<string> {
    const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MILLIS);
    let text = '';
    const hear = (chunk: string): void => {
      text += chunk;
      if (isEnough?.test(text)) child.kill();
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    await new Promise((resolve) => child.once('close', resolve));
    clearTimeout(timer);
    return text;
  }

  /** The words of a command line; quotes hold one word together. */
  const wordsOf = (line: string): string[] =>
    [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');

  for (const line of COMMANDS.trim().split('\n')) {
    it(line, async () => {
      const [, expected] = EXPECTED.find(([asked]) => asked.test(line)) ?? [];
      if (!expected) throw new Error('the test does not know what this prints');
      const [, ...words] = wordsOf(line.replace('localhost:7000', `localhost:${server.port}`));
      // One that goes on until a signal needs a process.
      if (words[0] === 'watch') return expect(await outputOf([COMMAND, ...words], expected)).to.match(expected);
      // Nothing is announced here, so there is nothing to wait for.
      if (words[0] === 'find') words.push('--seconds', '0.1');
      const { code, output, complaint } = await commandHere(words);
      expect(output + complaint).to.match(expected);
      return expect(code).to.be.at.most(words[0] === 'find' ? 1 : 0);
    });
  }

  it('has the programs that are tried here', () => expect(blocksOf('ts')).to.have.length(PROGRAMS.length));

  it('has programs that run and end, one after the other', async () => {
    const directory = mkdtempSync(join(ROOT, 'build', 'client-page-'));
    const programs = PROGRAMS.map(([name, text, expected], index) => {
      const file = join(directory, `${index}.mjs`);
      writeFileSync(file, transformSync(text.replace('7000', String(server.port)), { loader: 'ts' }).code);
      return { name, expected, loading: `await import(${JSON.stringify(file)}); console.log('${SEPARATOR}');` };
    });
    try {
      const both = programs.map(({ loading }) => loading).join('');
      const outputs = (await outputOf(['--input-type=module', '--eval', both])).split(`${SEPARATOR}\n`);
      expect(outputs).to.have.length(PROGRAMS.length + 1);
      for (const [index, { name, expected }] of programs.entries()) expect(outputs[index], name).to.match(expected);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });
});
