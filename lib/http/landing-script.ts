// The browser script of the page at GET /: lists variables, watches the first of them, fills in the lines to paste.
export const LANDING_SCRIPT = `
  const MOST = 20;
  const MOST_ELEMENTS = 100;
  const token = new URLSearchParams(location.search).get('token');
  const withToken = (path) => token ? path + (path.includes('?') ? '&' : '?') + 'token=' + encodeURIComponent(token) : path;
  const byId = (id) => document.getElementById(id);
  let lastId = 0;
  async function call(method, params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: ++lastId, method, params });
    const answer = await (await fetch(withToken('/jsonrpc'), { method: 'POST', body })).json();
    if (answer.error) throw new Error(answer.error.message);
    return answer.result;
  }
  const cell = (text, className) => {
    const made = document.createElement('td');
    made.textContent = text;
    made.className = className || '';
    return made;
  };
  function addRow(table, ...cells) {
    const row = document.createElement('tr');
    row.append(...cells);
    byId(table).append(row);
  }
  function show(value) {
    if (typeof value === 'number') return String(Number(value.toPrecision(9)));
    if (!Array.isArray(value)) return JSON.stringify(value);
    const texts = value.slice(0, 6).map(show);
    return '[' + texts.join(', ') + (value.length > 6 ? ', … ' + value.length + ' in all' : '') + ']';
  }
  const say = (text, className) => {
    byId('mode').textContent = text;
    byId('mode').className = className || '';
  };

  let events;
  let watched;
  async function list(search) {
    const pattern = search ? '*' + search.replace(/[*?]/g, '') + '*' : '*';
    const all = (await call('var/list', { pattern, limit: 1000 })).filter((variable) => variable.access !== 'write-only');
    // The simulation's own variables come before the executive's.
    const isOwn = ({ alias }) => !alias.startsWith('trick_');
    const sorted = [...all.filter(isOwn), ...all.filter((variable) => !isOwn(variable))];
    const shown = sorted.filter(({ dim }) => dim.reduce((product, extent) => product * extent, 1) <= MOST_ELEMENTS).slice(0, MOST);
    byId('values').replaceChildren();
    const cells = new Map();
    for (const { alias, unit, about } of shown) {
      cells.set(alias, cell('', 'value'));
      addRow('values', cell(alias), cells.get(alias), cell(unit === '1' ? '' : unit, 'quiet'), cell(about, 'quiet'));
    }
    const rest = all.length >= 1000 ? 'more than 1000' : String(all.length);
    byId('more').textContent = all.length === shown.length ? '' : 'showing ' + shown.length + ' of ' + rest + ' variables';
    await watch(cells);
    return shown;
  }
  async function watch(cells) {
    if (events) events.close();
    if (watched) call('var/unsubscribe', { subscription_id: watched }).catch(() => {});
    watched = events = undefined;
    if (cells.size === 0) return;
    const { sse_url, subscription_id } = await call('var/subscribe', { aliases: [...cells.keys()], cycle_ms: 100 });
    watched = subscription_id;
    const stream = events = new EventSource(withToken(sse_url));
    stream.addEventListener('var', (event) => {
      const { sim_time, values } = JSON.parse(event.data);
      byId('time').textContent = sim_time.label + ' ' + sim_time.sec_si.toFixed(2) + ' s';
      for (const [alias, value] of Object.entries(values)) cells.get(alias).textContent = show(value);
    });
    stream.addEventListener('error', () => {
      say('connection lost');
      // A restarted server does not know the subscription.
      if (stream.readyState === EventSource.CLOSED && stream === events) setTimeout(() => watch(cells).catch(() => stream.dispatchEvent(new Event('error'))), 2000);
    });
  }
  async function showStatus() {
    const { name, mode } = await call('sim/status', {});
    document.title = name + ' · varwire';
    byId('name').textContent = name;
    say(mode, mode);
  }

  function fillIn(alias) {
    const curl = location.origin + '/jsonrpc' + (token ? " -H 'Authorization: Bearer TOKEN'" : '');
    const { trickPort } = document.body.dataset;
    const host = location.hostname;
    const isTls = location.protocol === 'https:';
    const trick = isTls ? 'openssl s_client -quiet -connect ' + host + ':' + trickPort : 'nc ' + host.replace(/[[\\]]/g, '') + ' ' + trickPort;
    byId('trick').hidden = !trickPort;
    const words = {
      CURL: curl, ORIGIN: location.origin, SOCKET: location.origin.replace(/^http/, 'ws'), ALIAS: alias, TRICK: trick,
      TOKEN: token ? '?token=TOKEN' : '', MORE: token ? " + '&token=TOKEN'" : '',
    };
    for (const pre of document.querySelectorAll('pre')) {
      const filled = pre.textContent.replace(/CURL|ORIGIN|SOCKET|ALIAS|TRICK|TOKEN|MORE/g, (word) => words[word]);
      pre.textContent = filled;
    }
  }
  async function copy({ target }) {
    const text = target.previousElementSibling;
    try {
      await navigator.clipboard.writeText(text.textContent);
      target.textContent = 'copied';
    } catch {
      getSelection().selectAllChildren(text);
    }
  }

  async function start() {
    for (const button of document.querySelectorAll('button')) button.addEventListener('click', copy);
    for (const link of document.querySelectorAll('main a')) link.href = withToken(link.getAttribute('href'));
    await showStatus();
    setInterval(() => showStatus().catch(() => say('connection lost')), 1000);
    const [first] = await list('');
    fillIn(first ? first.alias : 'time');
    let soon;
    byId('search').addEventListener('input', ({ target }) => {
      clearTimeout(soon);
      soon = setTimeout(() => list(target.value.trim()).catch((error) => say(error.message)), 200);
    });
    const { methods } = await call('rpc.discover', {});
    for (const { name, description } of methods) addRow('methods', cell(name), cell(description, 'quiet'));
  }
  start().catch((error) => say(error.message));
`;
