// `node mounting.js FILE [options of varwire run] [-- arguments]`: serves a simulation, and mounts it at the root of an HTTP
// server of its own, whose port it prints.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { banner } from '../../lib/clients/cli/banner.js';
import { parseServed } from '../../lib/clients/cli/run.js';
import { type Log, serve } from '../../lib/index.js';

const given = process.argv.slice(2);
const cut = given.includes('--') ? given.indexOf('--') : given.length;
const served = parseServed(given.slice(0, cut));
const log: Log = (level, text) => {
  if (level !== 'informational' && level !== 'debug') console.error(text);
};
const server = await serve(resolve(served.file), { ...served.options, arguments: given.slice(cut + 1), log });
const { handle, upgrade, connection } = server.mount('');
const http = createServer((request, response) => handle(request, response));
http.on('connection', connection);
http.on('upgrade', (request, socket, head) => upgrade(request, socket, head) || socket.destroy());
http.listen(0, '127.0.0.1');
await once(http, 'listening');
console.log(`mounted ${(http.address() as AddressInfo).port}`);
console.log(banner(server));
process.once('SIGTERM', () => process.exit());
