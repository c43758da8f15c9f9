// Runs the commands of docs/brp.md unchanged but for the port, and compares with what the page shows.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { PATIENCE_MILLIS } from '../../lib/testing/aids/patience.js';
import { ServerHere, showOutputOfFailure } from '../launch.js';
import { ALL_METHODS } from './releases.js';

const PAGE = readFileSync(new URL('../../../docs/brp.md', import.meta.url), 'utf8');

interface Shown {
  readonly command: string;
  /** The line below the command, without its sign. */
  readonly output: string | undefined;
}

function shownCommands(): Shown[] {
  const blocks = [...PAGE.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block.trimEnd().split('\n'));
  return blocks.flatMap((lines) =>
    lines.flatMap((command, index) => {
      if (!command.startsWith('curl')) return [];
      const next = lines[index + 1];
      return [{ command, output: next?.startsWith('# ') ? next.slice(2) : undefined }];
    }),
  );
}

/** The first line that a command prints. */
function firstLine(command: string): Promise<string> {
  const child = spawn('bash', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  return new Promise((resolve, reject) => {
    let text = '';
    const end = () => {
      clearTimeout(timer);
      if (child.exitCode === null && child.pid) process.kill(-child.pid);
    };
    const timer = setTimeout(end, PATIENCE_MILLIS);
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      if (text.includes('\n')) end();
    });
    child.on('error', reject).on('close', () => {
      clearTimeout(timer);
      resolve(text.split('\n')[0] as string);
    });
  });
}

/** Numbers and watermarks differ from run to run; the numbers of entities do not. */
const alike = (text: string): string =>
  text
    .replace(/"watermark":"[^"]*"/, '"watermark":"..."')
    .replace(/(?<!entity":)-?\d+(\.\d+)?(e[-+]?\d+)?/g, (number) =>
      number.length > 9 && !number.includes('.') ? number : 'n',
    );

describe('docs/brp.md', () => {
  let server: ServerHere;
  before(async () => {
    server = await ServerHere.start('sims/ball.js', { options: ['--no-discovery', '--brp', '0'] });
  });
  after(() => server?.stop());
  afterEach(function () {
    showOutputOfFailure(this, server);
  });

  it('has commands to try', () => expect(shownCommands()).to.have.length.at.least(6));

  it('has every method in its table', () => {
    const [, section = ''] = PAGE.split('\n## Methods\n');
    const rows = [...section.replace(/\n## .*$/s, '').matchAll(/^\|([^|]*)\|([^|]*)\|/gm)].slice(2);
    const names = rows.flatMap(([, old = '', current = '']) => [...`${old} ${current}`.matchAll(/`([^`]+)`/g)]);
    expect([...new Set(names.map(([, name]) => name))].sort()).to.deep.equal([...ALL_METHODS].sort());
  });

  for (const { command, output } of shownCommands()) {
    it(command.replace(/.* -d '/, '').slice(0, 80), async () => {
      const port = server.brpPort;
      const line = await firstLine(command.replaceAll('127.0.0.1:15702', `127.0.0.1:${port}`));
      if (command.includes('+watch')) expect(line).to.match(/^data: \{"jsonrpc":"2\.0","id":1,"result":\{"components"/);
      else if (output !== undefined) expect(alike(line)).to.equal(alike(output));
      else expect(line).to.equal('{"jsonrpc":"2.0","id":1,"result":null}');
    });
  }
});
