// GET /: a page with the simulation's name, live values and lines to paste. It needs no build and loads nothing else.
import { createHash } from 'node:crypto';
import { LANDING_SCRIPT } from './landing-script.js';

const STYLE = `
  :root {
    color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif;
    --ink: light-dark(#1b2430, #e6e9ee); --quiet: light-dark(#5c6775, #98a3b3); --line: light-dark(#dde2e8, #2c3440);
    --ground: light-dark(#f5f7f9, #12161c); --card: light-dark(#fff, #1a2029); --accent: light-dark(#0b62c4, #6fb2ff);
    --good: light-dark(#137a3f, #5fd38d); --held: light-dark(#a15c00, #f0b35a);
  }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--ground); color: var(--ink); }
  main, header > div { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem; }
  header { background: var(--card); border-bottom: 1px solid var(--line); padding: 1.25rem 0; }
  header > div { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1rem; }
  h1 { margin: 0; font-size: 1.6rem; line-height: 1.2; }
  h2 { margin: 2rem 0 .6rem; font-size: 1rem; display: flex; align-items: baseline; gap: 1rem; }
  h3 { margin: 1.1rem 0 .35rem; font-size: .85rem; font-weight: 600; color: var(--quiet); }
  p { margin: .4rem 0; color: var(--quiet); }
  a { color: var(--accent); }
  code, pre, .value, #time { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
  #mode { padding: .05rem .6rem; border-radius: 1rem; border: 1px solid currentColor; font-size: .85rem; color: var(--held); }
  #mode.run { color: var(--good); }
  #time { margin-left: auto; font-size: 1.1rem; font-variant-numeric: tabular-nums; }
  #about { flex-basis: 100%; margin: 0; }
  .card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; overflow-x: auto; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; padding: .4rem .9rem; vertical-align: top; }
  th { font-size: .8rem; font-weight: 600; color: var(--quiet); }
  tr + tr td, tbody tr td { border-top: 1px solid var(--line); }
  td:first-child { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: nowrap; }
  td.value { font-variant-numeric: tabular-nums; min-width: 14rem; white-space: nowrap; }
  td.quiet { color: var(--quiet); }
  input { margin-left: auto; width: 16rem; max-width: 50vw; padding: .3rem .6rem; font: inherit; color: inherit;
    background: var(--card); border: 1px solid var(--line); border-radius: 6px; }
  .paste { position: relative; margin-bottom: .5rem; }
  pre { margin: 0; padding: .6rem 4.5rem .6rem .9rem; white-space: pre-wrap; overflow-wrap: anywhere; font-size: .85rem; line-height: 1.45; }
  button { position: absolute; top: .4rem; right: .4rem; padding: .1rem .55rem; font: inherit; font-size: .8rem;
    color: var(--quiet); background: var(--ground); border: 1px solid var(--line); border-radius: 5px; cursor: pointer; }
  button:hover { color: var(--accent); }
  footer { padding: 2rem 0 3rem; color: var(--quiet); font-size: .85rem; }
`;

/** A line to paste; the page's script fills in HOST, PORT and so on from its own address. */
const paste = (text: string): string =>
  `<div class="card paste"><pre>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre><button type="button">copy</button></div>`;

const TERMINAL = [
  ['The latest value of a variable', paste(call('var/get', '{"aliases":["ALIAS"]}'))],
  ['What there is', paste(call('var/list', 'null'))],
  [
    'A stream of events, until interrupted',
    paste(`curl -sN CURL -H 'Accept: text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"var/subscribe","params":{"aliases":["ALIAS"],"cycle_ms":100}}'`),
  ],
  ['Freeze; "run" goes on', paste(call('sim/control', '{"action":"freeze"}'))],
] as const;

function call(method: string, params: string): string {
  return `curl -s CURL -d '{"jsonrpc":"2.0","id":1,"method":"${method}","params":${params}}'`;
}

const sections = (all: readonly (readonly [title: string, body: string])[]): string =>
  all.map(([title, body]) => `<h3>${title}</h3>\n${body}`).join('\n');

const BROWSER = [
  [
    'Server-sent events',
    paste(`const ask = { jsonrpc: '2.0', id: 1, method: 'var/subscribe', params: { aliases: ['ALIAS'], cycle_ms: 100 } };
const { result } = await (await fetch('ORIGIN/jsonrpcTOKEN', { method: 'POST', body: JSON.stringify(ask) })).json();
new EventSource('ORIGIN' + result.sse_urlMORE).addEventListener('var', ({ data }) => console.log(JSON.parse(data).values));`),
  ],
  [
    'WebSocket',
    paste(`const socket = new WebSocket('SOCKET/wsTOKEN');
socket.onmessage = ({ data }) => console.log(JSON.parse(data));
socket.onopen = () => socket.send(JSON.stringify(
  { jsonrpc: '2.0', id: 1, method: 'var/subscribe', params: { aliases: ['ALIAS'] } }));`),
  ],
] as const;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>varwire</title>
<style>${STYLE}</style>
<body data-trick-port="TRICK_PORT">
<header><div>
  <h1 id="name">varwire</h1><span id="mode">connecting</span><span id="time"></span>
  <p id="about">A running simulation, served by varwire to Trick clients, curl, browsers and anything that speaks JSON-RPC.</p>
</div></header>
<main>
<h2>Live values <input id="search" type="search" placeholder="find variables" aria-label="find variables"></h2>
<div class="card"><table>
  <thead><tr><th>variable<th>value<th>units<th>what it is</tr></thead>
  <tbody id="values"></tbody>
</table></div>
<p id="more"></p>
<h2>In a terminal</h2>
${sections(TERMINAL)}
<div id="trick">${sections([["Trick's variable server, for Trick's own tools and netcat", paste(String.raw`printf 'trick.var_add("ALIAS")\n' | TRICK`)]])}</div>
<h2>In a page or a script</h2>
${sections(BROWSER)}
<h2>Methods</h2>
<p>Of <code>POST /jsonrpc</code> and of the WebSocket. With schemas and examples: <a href="/openrpc.json">openrpc.json</a>.
For Prometheus: <a href="/metrics">metrics</a>. For watchdogs: <a href="/healthz">healthz</a>.</p>
<div class="card"><table><tbody id="methods"></tbody></table></div>
<footer>varwire VERSION</footer>
</main>
<script>${LANDING_SCRIPT}</script>
</html>
`;

/** @param trickPort the port that speaks Trick text; undefined when there is none. */
export const landingPage = (version: string, trickPort: number | undefined): string =>
  PAGE.replace('TRICK_PORT', String(trickPort ?? '')).replace('VERSION', version);

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page may run its own script and make requests to its own server only. */
export const LANDING_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(LANDING_SCRIPT)}; connect-src 'self'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;
