// What few servers speak is loaded when somebody asks for it, and not before.
import { once } from 'node:events';
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
const FEW =
  /loads \S*(@modelcontextprotocol|@mcap|@nats-io|protocols\/edge\/(?:edge-sockets|nats-edges)|protocols\/mcp\/server|protocols\/(?:foxglove|trick-web)\/client\.js)/;

describe('a server that nobody asks for it', () => {
  it("loads nothing of language models' tools, nor of Foxglove's client, nor of edges, until somebody does", async () => {
    const engineOptions = ['--import', `data:text/javascript,${encodeURIComponent(REGISTER)}`];
    const server = await LaunchedServer.start('sims/ball.js', { engineOptions, options: ['--no-discovery'] });
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
