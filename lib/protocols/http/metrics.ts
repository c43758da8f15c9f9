// GET /metrics: the state of the server and the simulation in Prometheus' text format.
// By hand: the format takes a dozen lines, and values are read when they are asked for.
import { Mode } from '../../model/frame/header.js';
import type { SessionRegistry, Traffic } from '../../serving/session/registry.js';
import type { SubscriptionTable } from '../../serving/session/subscription-table.js';
import type { JobTime, Source } from '../../source/source.js';
import { problemOf } from './health.js';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

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

/** What the transport counts. */
export interface ConnectionFacts {
  /** Open TCP connections of every protocol. */
  readonly open: number;
  /** How often each bound was met. */
  readonly heldBack: ReadonlyMap<string, number>;
  /** HTTP answers by their status, 400 and more. */
  readonly refusals: ReadonlyMap<number, number>;
}

export interface MetricsParts {
  readonly registry: SessionRegistry;
  readonly table: SubscriptionTable;
  /** JSON-RPC messages posted so far. */
  readonly requests: number;
  /** JSON-RPC calls over WebSockets so far, each of a batch. */
  readonly webSocketCalls: number;
  readonly connections: ConnectionFacts | undefined;
}

export function metricsText(parts: MetricsParts): string {
  const { registry, connections } = parts;
  return [
    ...simulationMetrics(registry.source),
    ...clientMetrics(parts),
    ...processMetrics(),
    ...(connections ? connectionMetrics(connections) : []),
  ].join('');
}

function connectionMetrics({ open, heldBack, refusals }: ConnectionFacts): string[] {
  const samples = [...heldBack].map(([bound, count]): Sample => [count, { bound }]);
  return [
    metric('varwire_connections', 'gauge', 'Open TCP connections.', [[open]]),
    metric('varwire_held_back_total', 'counter', 'Connections, bodies and datagrams that met a bound.', samples),
    metric(
      'varwire_http_refusals_total',
      'counter',
      'HTTP requests that were refused, by the status of the answer.',
      [...refusals].map(([status, count]): Sample => [count, { status: `${status}` }]),
    ),
  ];
}

function simulationMetrics(source: Source): string[] {
  const { header, timeSeconds } = source.frame;
  const { name, clockLabel } = source.info;
  const { cpuSeconds } = source;
  const isRunning = header.mode === Mode.run || header.mode === Mode.step;
  const timed = byName(source.jobs ?? []);
  const jobs = (pick: (job: JobTime) => number): Sample[] => timed.map((job) => [pick(job), { job: job.name }]);
  return [
    metric(
      'varwire_job_seconds_total',
      'counter',
      'Wall time that the runs of each job took.',
      jobs(({ totalMillis }) => totalMillis / 1000),
    ),
    metric(
      'varwire_job_worst_seconds',
      'gauge',
      'Wall time of the longest run of each job.',
      jobs(({ worstMillis }) => worstMillis / 1000),
    ),
    metric(
      'varwire_job_runs_total',
      'counter',
      'How often each job has run.',
      jobs(({ calls }) => calls),
    ),
    ...(cpuSeconds === undefined
      ? []
      : [
          metric('varwire_sim_cpu_seconds_total', 'counter', "Processor time of the simulation's thread.", [
            [cpuSeconds],
          ]),
        ]),
    metric('varwire_info', 'gauge', 'The simulation served.', [[1, { simulation: name, clock: clockLabel }]]),
    metric('varwire_sim_time_seconds', 'gauge', 'Simulation time since the start.', [[timeSeconds]]),
    metric('varwire_sim_running', 'gauge', '1 while the simulation runs, 0 in a freeze.', [[isRunning ? 1 : 0]]),
    metric('varwire_ticks_total', 'counter', 'Ticks run.', [[header.tick]]),
    metric('varwire_frames_total', 'counter', 'Frames published.', [[header.number]]),
    metric('varwire_frames_lapped_total', 'counter', 'Frames overwritten before the server read them.', [
      [source.lapped],
    ]),
    metric('varwire_overruns_total', 'counter', 'Ticks that ended after the next one was due.', [[header.overruns]]),
    metric('varwire_request_overruns_total', 'counter', 'Those of them that requests of clients made late.', [
      [source.requestOverruns ?? 0],
    ]),
  ];
}

/** Jobs of one name together, because a series of samples has one name. */
function byName(jobs: readonly JobTime[]): readonly JobTime[] {
  const named = new Map<string, JobTime>();
  for (const job of jobs) {
    const { calls = 0, totalMillis = 0, worstMillis = 0 } = named.get(job.name) ?? {};
    named.set(job.name, {
      name: job.name,
      calls: calls + job.calls,
      totalMillis: totalMillis + job.totalMillis,
      worstMillis: Math.max(worstMillis, job.worstMillis),
    });
  }
  return [...named.values()];
}

/** By the names that Prometheus' own clients use; all of the process, the simulation's thread too. */
function processMetrics(): string[] {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed } = process.memoryUsage();
  const startedSeconds = (performance.timeOrigin / 1000).toFixed(3);
  return [
    metric('process_cpu_seconds_total', 'counter', 'Processor time of the process.', [[(user + system) / 1e6]]),
    metric('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [[rss]]),
    metric('nodejs_heap_size_used_bytes', 'gauge', "JavaScript's memory on the thread of the server.", [[heapUsed]]),
    metric('process_start_time_seconds', 'gauge', 'When the process has started, in Unix time.', [
      [Number(startedSeconds)],
    ]),
  ];
}

function clientMetrics({ registry, table, requests, webSocketCalls }: MetricsParts): string[] {
  // Made once: it goes through all sessions.
  const byFrontEnd = [...registry.traffic];
  const traffic = (pick: (traffic: Traffic) => number): Sample[] =>
    byFrontEnd.map(([frontEnd, all]) => [pick(all), { front_end: frontEnd }]);
  const figures = [...registry.ledger.figures, ...(registry.source.shared ?? [])];
  return [
    metric('varwire_healthy', 'gauge', '1 while /healthz says ok.', [[problemOf(registry) === undefined ? 1 : 0]]),
    metric('varwire_sessions', 'gauge', 'Open sessions.', sessionSamples(registry)),
    metric('varwire_subscriptions', 'gauge', 'Subscriptions of JSON clients.', [[table.size]]),
    metric('varwire_loop_lag', 'gauge', 'Seconds that the server came late to what was due, at worst in 10 s.', [
      [registry.lag.worstMillis / 1000],
    ]),
    metric('varwire_frames_skipped', 'counter', 'Frames and messages left out because there was no time for them.', [
      [registry.source.skipped, { of: 'frames' }],
      [registry.timetable.skipped, { of: 'cycles' }],
    ]),
    metric(
      'varwire_held',
      'gauge',
      'What clients hold of what is bounded.',
      figures.map(([what, { held }]) => [held, { what }]),
    ),
    metric(
      'varwire_refused_total',
      'counter',
      'How often a client was refused more.',
      [...figures.map(([what, { refusals }]) => [what, refusals] as const), ...registry.ledger.rateRefusals].map(
        ([what, refusals]) => [refusals, { what }],
      ),
    ),
    metric(
      'varwire_errors_total',
      'counter',
      'Errors that clients got: by the codes of JSON-RPC; of Trick, exceptions of blocks and warnings in the log; of kRPC.',
      [...registry.errors.byCode].map(([code, count]) => [count, { code: `${code}` }]),
    ),
    metric('varwire_computed_seconds_total', 'counter', 'Computing time of all clients, as it is counted for them.', [
      [registry.turns.computedMillis / 1000],
    ]),
    metric('varwire_waiting_pieces', 'gauge', 'Pieces of work of clients that wait for their turn.', [
      [registry.turns.waiting],
    ]),
    metric('varwire_feeds', 'gauge', 'Encoded texts shared by equal subscriptions.', [[registry.feeds.size]]),
    metric('varwire_http_requests_total', 'counter', 'JSON-RPC messages posted.', [[requests]]),
    metric('varwire_websocket_calls_total', 'counter', 'JSON-RPC calls over WebSockets, each of a batch counts.', [
      [webSocketCalls],
    ]),
    metric(
      'varwire_messages_sent_total',
      'counter',
      'Messages sent to sessions.',
      traffic(({ sentMessages }) => sentMessages),
    ),
    metric(
      'varwire_message_bytes_sent_total',
      'counter',
      'Bytes of these messages.',
      traffic(({ sentBytes }) => sentBytes),
    ),
    metric(
      'varwire_messages_dropped_total',
      'counter',
      'Messages left out for slow clients, or because earlier ones took long to make.',
      traffic(({ droppedMessages }) => droppedMessages),
    ),
  ];
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
