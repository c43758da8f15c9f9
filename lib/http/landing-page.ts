// GET /: one page that says what is served, shows live values, and has the lines to paste. No build, nothing loaded.
import { createHash } from 'node:crypto';

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
  pre { overflow-x: auto; padding: .75rem; border: 1px solid #8886; border-radius: 6px; }
  table { border-collapse: collapse; width: 100%; }
  td, th { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8884; vertical-align: top; }
  td.value { font-variant-numeric: tabular-nums; font-family: ui-monospace, monospace; }
  #state { opacity: .8; }
`;

const SCRIPT = `
  const token = new URLSearchParams(location.search).get('token');
  const withToken = (path) => token ? path + (path.includes('?') ? '&' : '?') + 'token=' + encodeURIComponent(token) : path;
  let lastId = 0;
  async function call(method, params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params });
    const answer = await (await fetch(withToken('/jsonrpc'), { method: 'POST', body })).json();
    if (answer.error) throw new Error(answer.error.message);
    return answer.result;
  }
  const element = (name, text, className) => {
    const made = document.createElement(name);
    made.textContent = text;
    if (className) made.className = className;
    return made;
  };
  const row = (...cells) => {
    const made = document.createElement('tr');
    made.append(...cells);
    return made;
  };
  const show = (value) => typeof value === 'number' ? String(Number(value.toPrecision(9))) : JSON.stringify(value);
  const say = (text) => { document.getElementById('state').textContent = text; };
  async function start() {
    const status = await call('sim/status', {});
    document.title = document.getElementById('name').textContent = status.name;
    const listed = (await call('var/list', { limit: 20 })).filter((variable) => variable.access !== 'write-only');
    for (const pre of document.querySelectorAll('pre')) {
      pre.textContent = pre.textContent.replaceAll('HOST', location.hostname).replaceAll('PORT', location.port || '80')
        .replaceAll('ALIAS', listed[0] ? listed[0].alias : 'ALIAS');
    }
    const cells = new Map();
    for (const { alias, unit, about } of listed) {
      const cell = element('td', '', 'value');
      cells.set(alias, cell);
      document.getElementById('values').append(row(element('td', alias), cell, element('td', unit), element('td', about)));
    }
    const { methods } = await call('rpc.discover', {});
    for (const { name, description } of methods) {
      document.getElementById('methods').append(row(element('td', name), element('td', description)));
    }
    if (listed.length > 0) await watch([...cells.keys()], cells);
  }
  async function watch(aliases, cells) {
    const { sse_url } = await call('var/subscribe', { aliases, cycle_ms: 200 });
    const events = new EventSource(withToken(sse_url));
    events.addEventListener('var', (event) => {
      const { sim_time, values } = JSON.parse(event.data);
      say(sim_time.label + ' ' + sim_time.sec_si.toFixed(2) + ' s');
      for (const [alias, value] of Object.entries(values)) cells.get(alias).textContent = show(value);
    });
    events.addEventListener('error', () => {
      say('the stream was cut');
      // A server that was started anew does not know the subscription.
      if (events.readyState === EventSource.CLOSED) setTimeout(() => watch(aliases, cells).catch(() => {}), 2000);
    });
  }
  start().catch((error) => say(error.message));
`;

export const LANDING_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>varwire</title>
<style>${STYLE}</style>
<h1><span id="name">varwire</span> <span id="state">connecting …</span></h1>
<table><thead><tr><th>variable<th>value<th>units<th></tr></thead><tbody id="values"></tbody></table>
<h2>Lines to paste</h2>
<pre>curl -s http://HOST:PORT/jsonrpc -d '{"jsonrpc":"2.0","id":1,"method":"var/list","params":null}'
curl -s http://HOST:PORT/jsonrpc -d '{"jsonrpc":"2.0","id":1,"method":"var/get","params":{"aliases":["ALIAS"]}}'
curl -N http://HOST:PORT/jsonrpc -H 'Accept: text/event-stream' \\
  -d '{"jsonrpc":"2.0","id":1,"method":"var/subscribe","params":{"aliases":["ALIAS"],"cycle_ms":100}}'</pre>
<pre>const socket = new WebSocket('ws://HOST:PORT/ws');
socket.onmessage = ({ data }) => console.log(JSON.parse(data));
socket.onopen = () => socket.send(JSON.stringify(
  { jsonrpc: '2.0', id: 1, method: 'var/subscribe', params: { aliases: ['ALIAS'] } }));</pre>
<h2>Methods</h2>
<p>With their schemas and examples: <a href="/openrpc.json">openrpc.json</a>. For Prometheus: <a href="/metrics">metrics</a>.</p>
<table><tbody id="methods"></tbody></table>
<script>${SCRIPT}</script>
</html>
`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** The page may run its own script and ask its own server, nothing else. */
export const LANDING_PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(SCRIPT)}; connect-src 'self'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
} as const;
