// The banner names each door that a server has, with its port.
import { expect } from 'chai';
import { serveHere } from '../../testing/aids/serve-here.js';
import { banner } from './banner.js';

const BALL = new URL('../../../sims/ball.js', import.meta.url);

describe('the banner of a server', () => {
  it('names the file of what it serves, and what it is where it has none', () => {
    const info = { name: 'orbit', clockLabel: 'sim_elapsed', directory: '/', file: 'orbit.trk', what: 'a recording' };
    const headOf = (more: object) =>
      banner({ source: { info: { ...info, ...more } }, endpoints: [] } as unknown as Parameters<typeof banner>[0]);
    expect(headOf({})).to.match(/^varwire serves orbit \(orbit\.trk\)\n/);
    expect(headOf({ file: process.argv[1], what: 'a bridge to localhost:7000' })).to.match(
      /^varwire serves orbit \(a bridge to localhost:7000\)\n/,
    );
  });

  it('names the port of each door that is on, and where language models ask', async () => {
    const ports = { port: 0, brp: 0, krpc: 0, foxglove: 0, www: { port: 0 }, jsonvs: 0, mcp: true };
    const server = await serveHere(BALL, { ...ports, discovery: false });
    try {
      const text = banner(server);
      const told = server.endpoints.filter(({ protocol }) => protocol === 'tcp');
      for (const name of ['foxglove', 'www', 'jsonvs', 'brp', 'krpc', 'mcp']) {
        const port = told.filter((endpoint) => endpoint.name === name).at(-1)?.port;
        expect(text, name).to.match(new RegExp(`[:=]${port}\\b`));
      }
      expect(text).to.match(/^ {2}Foxglove +ws:\/\/127\.0\.0\.1:\d+$/m);
      expect(text).to.include(`  MCP       http://127.0.0.1:${server.port}/mcp\n`);
    } finally {
      await server.close();
    }
  });
});
