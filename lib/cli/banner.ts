// What `varwire run` shows when it is ready: where it serves, with a line to paste for each way in.
import { networkInterfaces } from 'node:os';
import type { RunningServer } from '../index.js';

export interface BannerFacts {
  readonly isTls: boolean;
  readonly hasTokens: boolean;
}

/** The first variable of the simulation's own. */
function exampleOf({ source }: RunningServer): string {
  for (const { name } of source.catalog.objects) {
    if (name.startsWith('trick_')) continue;
    const object = source.catalog.find(name);
    const first = object && source.catalog.within(object).next().value;
    if (first) return first.path;
  }
  return 'trick_sys.sched.time_tics';
}

/** An address to connect to, where every address is bound. */
function reachableHost(host: string): string {
  if (host !== '0.0.0.0' && host !== '::') return host;
  const others = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return others.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';
}

export function banner(server: RunningServer, { isTls, hasTokens }: BannerFacts): string {
  const { source, port, httpPort, udpPort } = server;
  const example = exampleOf(server);
  const host = reachableHost(server.host);
  const name = host.includes(':') ? `[${host}]` : host;
  const connect = isTls ? `openssl s_client -quiet -connect ${name}:${port}` : `nc ${host} ${port}`;
  const lines = [
    `varwire serves ${source.info.name} (${source.info.file})`,
    '',
    `  Trick     ${connect}     then type   trick.var_add("${example}")`,
  ];
  if (!isTls) lines.push(`            printf 'trick.var_add("${example}")\\n' | ${connect}`);
  if (udpPort !== undefined) lines.push(`  UDP       nc -u ${host} ${udpPort}`);
  if (httpPort !== undefined) {
    const base = `${isTls ? 'https' : 'http'}://${name}:${httpPort}`;
    const curl = `${base}/jsonrpc${hasTokens ? " -H 'Authorization: Bearer TOKEN'" : ''}`;
    lines.push(
      `  Browser   ${base}/${hasTokens ? '?token=TOKEN' : ''}`,
      `  JSON-RPC  curl -s ${curl} -d '{"jsonrpc":"2.0","id":1,"method":"var/get","params":{"aliases":["${example}"]}}'`,
      `  SSE       curl -sN ${curl} -H 'Accept: text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"var/subscribe","params":{"aliases":["${example}"]}}'  # or GET /sse?sub=ID`,
    );
  }
  return `${lines.join('\n')}\n`;
}
