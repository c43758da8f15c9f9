// What few servers speak is loaded when somebody asks for it, and not before.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { ask, rpc } from './asking.js';
import { LaunchedServer } from './launch.js';

/** Prints the address of each module that is loaded. */
const HOOKS = `export async function resolve(name, context, next) {
  const found = await next(name, context);
  process.stderr.write('loads ' + found.url + '\\n');
  return found;
}`;
const REGISTER = `import { register } from 'node:module';
register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(HOOKS)}));`;
const ENGINE_OPTIONS = ['--import', `data:text/javascript,${encodeURIComponent(REGISTER)}`];
const COMMAND = fileURLToPath(new URL('../lib/clients/cli/main.js', import.meta.url));
const FEW =
  /loads \S*(@modelcontextprotocol|@mcap|@nats-io|protocols\/edge\/(?:edge-sockets|nats-edges)|protocols\/mcp\/server|protocols\/(?:foxglove|trick-web)\/client\.js)/;
const LANGUAGE = /loads \S*protocols\/(?:python|trick\/(?:script|commands|session|events|methods))\//;
/** The public interface, whose simulations run on other threads, and what draws pictures of Trick's pages. */
const ELSEWHERE = /loads \S*(?:lib\/index|executive\/simulation|cli\/layout-pictures|node_modules\/saxes)/;

describe('a server that nobody asks for it', () => {
  it("loads nothing of language models' tools, nor of Foxglove's client, nor of edges, until somebody does", async () => {
    const options = { engineOptions: ENGINE_OPTIONS, options: ['--no-discovery'] };
    const server = await LaunchedServer.start('sims/ball.js', options);
    try {
      await ask({ port: server.port, body: rpc('var/get', { aliases: ['ball.position'] }) });
      expect(server.output).to.match(/loads \S*protocols\/json-rpc\//);
      expect(server.output).to.not.match(FEW);
      const socket = new WebSocket(`ws://127.0.0.1:${server.port}/`, ['foxglove.sdk.v1']);
      await once(socket, 'message');
      socket.terminate();
      expect(server.output)
        .to.match(FEW)
        .and.not.match(/@modelcontextprotocol/);
    } finally {
      await server.stop();
    }
  });
});

describe('varwire plot', () => {
  it("serves its page, and the calls of the page, without Trick's language, simulations and pictures", async () => {
    const directory = mkdtempSync(join(tmpdir(), 'varwire-asked-for-'));
    writeFileSync(join(directory, 'run.csv'), 'time {s},ball.height {m}\n0,10\n1,9\n');
    const args = [...ENGINE_OPTIONS, COMMAND, 'plot', 'run.csv', 'ball.height', '--no-open'];
    const child = spawn(process.execPath, args, { cwd: directory, stdio: 'pipe' });
    const closed = once(child, 'close');
    try {
      let [loaded, printed] = ['', ''];
      child.stderr.on('data', (piece: Buffer) => {
        loaded += piece;
      });
      child.stdout.on('data', (piece: Buffer) => {
        printed += piece;
      });
      const addressed = /Browser {3}http:\S+?:(\d+)\//;
      while (!addressed.test(printed))
        await Promise.race([once(child.stdout, 'data'), closed.then(() => expect.fail(loaded))]);
      const { text } = await ask({
        port: Number(addressed.exec(printed)?.[1]),
        path: '/jsonrpc',
        body: rpc('runs/list', {}),
      });
      expect(text).to.include('run.csv');
      expect(loaded)
        .to.match(/loads \S*json-rpc\/run-methods/)
        .and.not.match(LANGUAGE)
        .and.not.match(ELSEWHERE);
    } finally {
      child.kill();
      await closed;
      rmSync(directory, { recursive: true });
    }
  });
});
