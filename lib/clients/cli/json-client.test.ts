// Calls by HTTP of a server that takes them for Trick text.
import { expect } from 'chai';
import { ScriptedServer } from '../../testing/aids/scripted-server.js';
import { JsonClient } from './json-client.js';

const UNKNOWN = "AttributeError: module 'trick' has no attribute 'exec_is_in_freeze'\n";

describe('a call by JSON-RPC', () => {
  it("says soon that NASA's Trick speaks none, and ends the sessions that it has opened", async () => {
    const server = await new ScriptedServer((line, socket) => {
      if (line === 'trick.var_exit()') socket.end();
      return line.includes('exec_is_in_freeze') ? `4 2 ${UNKNOWN.length}\n${UNKNOWN}` : undefined;
    }).start();
    const client = new JsonClient(new URL(`http://127.0.0.1:${server.port}`));
    const asked = [client.call('sim/status'), client.stream('sim/messages', {}, new AbortController().signal).next()];
    const answers = await Promise.all(asked.map((one) => one.then(String, ({ message }: Error) => message)));
    for (const answer of answers)
      expect(answer).to.match(
        /^127\.0\.0\.1:\d+ is a variable server of NASA's Trick, which speaks no JSON-RPC; get, set, watch and call take it as 127/,
      );
    expect(server.lines.filter((line) => line === 'trick.var_exit()')).to.have.length.of.at.least(3);
    await server.stop();
  });

  it('ends the session that it may have opened when no answer comes in time', async () => {
    const server = await new ScriptedServer((line, socket) => {
      if (line === 'trick.var_exit()') socket.end();
      return undefined;
    }).start();
    const client = new JsonClient(new URL(`http://127.0.0.1:${server.port}`), { timeoutMillis: 100 });
    const answer = await client.call('sim/status').then(String, ({ message }: Error) => message);
    expect(answer).to.equal(`no answer from 127.0.0.1:${server.port} within 100 ms`);
    expect(server.lines.at(-1)).to.equal('trick.var_exit()');
    await server.stop();
  });
});
