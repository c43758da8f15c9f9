// What is served where, with a line to paste for each way in.
import type { RunningServer } from '../index.js';

/** The first variable that is worth watching: not one of the executive's own. */
function exampleOf({ source }: RunningServer): string {
  for (const { name } of source.catalog.objects) {
    if (name.startsWith('trick_')) continue;
    const object = source.catalog.find(name);
    const first = object && source.catalog.within(object).next().value;
    if (first) return first.path;
  }
  return 'trick_sys.sched.time_tics';
}

export function banner(server: RunningServer, host: string, isTls: boolean): string {
  const { source, port, httpPort, udpPort } = server;
  const example = exampleOf(server);
  const scheme = isTls ? 'https' : 'http';
  const base = `${scheme}://${host}:${httpPort}`;
  const lines = [
    `varwire serves ${source.info.name} (${source.info.file})`,
    '',
    `  Trick     nc ${host} ${port}     then type   trick.var_add("${example}")`,
    `            printf 'trick.var_add("${example}")\\n' | nc ${host} ${port}`,
  ];
  if (udpPort !== undefined) lines.push(`  UDP       nc -u ${host} ${udpPort}`);
  if (httpPort !== undefined) {
    lines.push(
      `  Browser   ${base}/`,
      `  JSON-RPC  curl -s ${base}/jsonrpc -d '{"jsonrpc":"2.0","id":1,"method":"var/get","params":{"aliases":["${example}"]}}'`,
      `  SSE       curl -sN ${base}/jsonrpc -H 'Accept: text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"var/subscribe","params":{"aliases":["${example}"]}}'  # or GET /sse?sub=ID`,
    );
  }
  return `${lines.join('\n')}\n`;
}
