// GET /metrics: what the server and the simulation are doing, in Prometheus' text format.
import { Mode } from '../frame/header.js';
import type { Outbound } from '../session/outbound.js';
import type { SessionRegistry } from '../session/registry.js';
import type { SubscriptionTable } from './subscription-table.js';

/** Totals of closed sessions, so that counters never go back. */
export class HttpCounters {
  requests = 0;
  sentMessages = 0;
  sentBytes = 0;
  droppedMessages = 0;

  /** Takes over what a session counted, when it closes. */
  add({ sentMessages, sentBytes, droppedMessages }: Outbound): void {
    this.sentMessages += sentMessages;
    this.sentBytes += sentBytes;
    this.droppedMessages += droppedMessages;
  }
}

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [value: number, labels?: Labels];

function metric(name: string, type: 'gauge' | 'counter', about: string, samples: readonly Sample[]): string {
  const lines = samples.map(([value, labels]) => `${name}${spellLabels(labels)} ${value}`);
  return [`# HELP ${name} ${about}`, `# TYPE ${name} ${type}`, ...lines, ''].join('\n');
}

function spellLabels(labels: Labels | undefined): string {
  if (!labels) return '';
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return `{${pairs.join(',')}}`;
}

const escapeLabel = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

export function metricsText(registry: SessionRegistry, table: SubscriptionTable, closed: HttpCounters): string {
  const { source } = registry;
  const { frame } = source;
  const { header } = frame;
  const totals = totalsOf(registry, closed);
  return [
    metric('varwire_info', 'gauge', 'The simulation served.', [
      [1, { simulation: source.info.name, clock: source.info.clockLabel }],
    ]),
    metric('varwire_sim_time_seconds', 'gauge', 'Simulation time since the start.', [[frame.timeSeconds]]),
    metric('varwire_sim_running', 'gauge', '1 while the simulation runs, 0 in a freeze.', [
      [header.mode === Mode.run || header.mode === Mode.step ? 1 : 0],
    ]),
    metric('varwire_ticks_total', 'counter', 'Ticks run.', [[header.tick]]),
    metric('varwire_frames_total', 'counter', 'Frames published.', [[header.number]]),
    metric('varwire_frames_lapped_total', 'counter', 'Frames overwritten before the server read them.', [
      [source.lapped],
    ]),
    metric('varwire_sessions', 'gauge', 'Open sessions.', sessionSamples(registry)),
    metric('varwire_subscriptions', 'gauge', 'Subscriptions of JSON clients.', [[table.size]]),
    metric('varwire_feeds', 'gauge', 'Encoded texts shared by equal subscriptions.', [[registry.feeds.size]]),
    metric('varwire_http_requests_total', 'counter', 'JSON-RPC messages posted.', [[closed.requests]]),
    metric('varwire_http_messages_sent_total', 'counter', 'Stream messages sent.', [[totals.sentMessages]]),
    metric('varwire_http_bytes_sent_total', 'counter', 'Bytes of these messages.', [[totals.sentBytes]]),
    metric('varwire_http_messages_dropped_total', 'counter', 'Stream messages left out for slow clients.', [
      [totals.droppedMessages],
    ]),
  ].join('');
}

function totalsOf(registry: SessionRegistry, closed: HttpCounters): HttpCounters {
  const totals = new HttpCounters();
  Object.assign(totals, closed);
  for (const { facts, outbound } of registry.sessions) if (facts.frontEnd === 'http') totals.add(outbound);
  return totals;
}

function sessionSamples(registry: SessionRegistry): Sample[] {
  const counts = new Map<string, { count: number; labels: Labels }>();
  for (const { facts } of registry.sessions) {
    const key = `${facts.frontEnd} ${facts.transport}`;
    const entry = counts.get(key) ?? { count: 0, labels: { front_end: facts.frontEnd, transport: facts.transport } };
    entry.count++;
    counts.set(key, entry);
  }
  return [...counts.values()].map(({ count, labels }) => [count, labels]);
}
