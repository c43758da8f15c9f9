// sim/status, sim/control and sim/seek: the simulation itself.
import { z } from 'zod';
import { Mode } from '../../model/frame/header.js';
import { tickMillisOf } from '../../serving/session/frame-cadence.js';
import type { Control, Source } from '../../source/source.js';
import { type CallContext, settledFrame } from './call-context.js';
import { defineMethod, type Method } from './method.js';
import { RpcCode, RpcError } from './rpc-error.js';
import { simTime } from './schemas.js';
import { simTimeOf } from './sim-time.js';

const MODE_NAMES = ['initialization', 'freeze', 'step', 'run', 'exit', 'disconnected'] as const;
type ModeName = (typeof MODE_NAMES)[number];

function modeNameOf({ frame, lastHeardMillis }: Source): ModeName {
  if (lastHeardMillis !== undefined) return 'disconnected';
  const { mode } = frame.header;
  return MODE_NAMES.find((name) => name !== 'disconnected' && Mode[name] === mode) ?? 'initialization';
}

const status = defineMethod({
  name: 'sim/status',
  about: 'What the simulation is doing, by the latest frame.',
  params: z.strictObject({}),
  result: z.object({
    name: z.string(),
    what: z.string().optional().describe('What it is if it is no simulation that runs here'),
    mode: z
      .enum(MODE_NAMES)
      .describe('`disconnected`: of a simulation elsewhere that cannot be reached; values are its last'),
    age_sec: z.number().optional().describe('While it is disconnected: how old the values are, in wall time'),
    reason: z
      .string()
      .optional()
      .describe(
        'What is wrong, in one sentence: the job that has frozen the run, with the line that threw and its callers, or one that does not return',
      ),
    sim_time: simTime,
    elapsed_sec: z.number().describe('Simulation time since the start, whatever the clock shows'),
    frame: z.int().describe('Number of the latest frame'),
    tick: z.int().describe('Ticks run so far'),
    tick_ms: z.number().describe('Simulation time of one tick'),
    clock_ratio: z
      .number()
      .nullable()
      .describe('Simulation seconds in a second, as asked for; null for as fast as possible, or as data come'),
    catalog_version: z.int().describe('Goes up when variables come or go'),
    playback: z
      .object({ first_sec: z.number(), last_sec: z.number() })
      .optional()
      .describe('Of a recording that can be played: its first and last time, as elapsed_sec'),
    overruns: z.int().describe('Ticks that ended after the next one was due'),
    lapped_frames: z.int().describe('Frames that this server was too slow to see'),
    skipped_frames: z.int().describe('Frames that this server had no time to send'),
    skipped_cycles: z
      .int()
      .describe('Messages to clients that this server had no time to send, because the next ones were due'),
    loop_lag_ms: z.number().describe('How late this server came to what was due, at worst in the last 10 s'),
    cpu_sec: z
      .number()
      .optional()
      .describe("Processor time that the simulation's thread has taken; left out where the system does not tell"),
    jobs: z
      .array(z.object({ name: z.string(), calls: z.int(), mean_ms: z.number(), worst_ms: z.number() }))
      .describe('How long the runs of each job have taken, in wall time'),
  }),
  examples: [
    {
      name: 'running',
      params: {},
      result: {
        name: 'ball',
        mode: 'run',
        sim_time: { sec_si: 1.23, label: 'sim_elapsed' },
        elapsed_sec: 1.23,
        frame: 124,
        tick: 123,
        tick_ms: 10,
        clock_ratio: 1,
        catalog_version: 4,
        overruns: 0,
        lapped_frames: 0,
        skipped_frames: 0,
        skipped_cycles: 0,
        loop_lag_ms: 0,
        cpu_sec: 0.31,
        jobs: [{ name: 'fall', calls: 123, mean_ms: 0.002, worst_ms: 0.05 }],
      },
    },
  ],
  run: async (context: CallContext) => {
    await settledFrame(context);
    await context.turn();
    return statusNow(context);
  },
});

function statusNow({ source, loopLagMillis, skippedCycles }: CallContext) {
  const { frame } = source;
  const { header } = frame;
  const { cpuSeconds, info, lastHeardMillis, playback } = source;
  return {
    name: info.name,
    ...(info.what !== undefined && { what: info.what }),
    mode: modeNameOf(source),
    ...(lastHeardMillis !== undefined && { age_sec: Math.max(0, Date.now() - lastHeardMillis) / 1000 }),
    ...(source.fault !== undefined && { reason: source.fault }),
    sim_time: simTimeOf(source, frame),
    elapsed_sec: frame.timeSeconds,
    frame: header.number,
    tick: header.tick,
    tick_ms: tickMillisOf(header),
    clock_ratio: header.clockRatio || null,
    catalog_version: header.catalogVersion,
    ...(playback && {
      playback: { first_sec: playback.firstSeconds, last_sec: playback.lastSeconds },
    }),
    overruns: header.overruns,
    lapped_frames: source.lapped,
    skipped_frames: source.skipped,
    skipped_cycles: skippedCycles(),
    loop_lag_ms: loopLagMillis(),
    ...(cpuSeconds !== undefined && { cpu_sec: cpuSeconds }),
    jobs: (source.jobs ?? []).map(({ name, calls, totalMillis, worstMillis }) => ({
      name,
      calls,
      mean_ms: calls === 0 ? 0 : totalMillis / calls,
      worst_ms: worstMillis,
    })),
  };
}

/** More ticks than a simulation steps in a day, and faster than any runs. */
const [MOST_FRAMES, MOST_RATIO] = [1e9, 1e6];

const control = defineMethod({
  name: 'sim/control',
  about:
    'run and freeze; step: run this many ticks and freeze again; clock_ratio: simulation seconds in a second; real_time: false for as fast as possible; terminate: end the run. Answers when a frame shows it.',
  params: z.strictObject({
    action: z.enum(['run', 'freeze', 'step', 'clock_ratio', 'real_time', 'terminate']),
    frames: z
      .int()
      .min(-MOST_FRAMES)
      .max(MOST_FRAMES)
      .optional()
      .describe('With step: how many ticks, 1 when left out; below 0, rows of a recording back'),
    ratio: z
      .number()
      .min(-MOST_RATIO)
      .max(MOST_RATIO)
      .optional()
      .describe('With clock_ratio: above 0; of a recording also below 0, backwards'),
    enabled: z.boolean().optional().describe('With real_time'),
    at_sec: z.number().min(0).optional().describe('With freeze: at this simulation time instead of now'),
  }),
  result: z.object({ frame: z.int(), mode: z.enum(MODE_NAMES), sim_time: simTime }),
  isChange: true,
  examples: [
    {
      name: 'freeze',
      params: { action: 'freeze' },
      result: { frame: 125, mode: 'freeze', sim_time: { sec_si: 1.23, label: 'sim_elapsed' } },
    },
  ],
  run: (context: CallContext, params) => controlled(context, controlOf(params)),
});

const seek = defineMethod({
  name: 'sim/seek',
  about:
    'Goes to a time of a recording, which sim/status shows as playback; other sources refuse. A recording that runs goes on from there.',
  params: z.strictObject({ to_sec: z.number().describe('As elapsed_sec, from first_sec to last_sec') }),
  result: z.object({ frame: z.int(), mode: z.enum(MODE_NAMES), sim_time: simTime }),
  isChange: true,
  examples: [
    {
      name: 'of a recording that runs',
      params: { to_sec: 60 },
      result: { frame: 125, mode: 'run', sim_time: { sec_si: 60, label: 'sim_elapsed' } },
    },
  ],
  run: (context: CallContext, { to_sec }) => controlled(context, { action: 'seek', toSeconds: to_sec }),
});

async function controlled({ session, source }: CallContext, control: Control) {
  const { frame: number } = await session.submit({ kind: 'control', control });
  const frame = source.past(number) ?? source.frame;
  return { frame: number, mode: modeNameOf(source), sim_time: simTimeOf(source, frame) };
}

interface ControlParams {
  readonly action: 'run' | 'freeze' | 'step' | 'clock_ratio' | 'real_time' | 'terminate';
  readonly frames?: number | undefined;
  readonly ratio?: number | undefined;
  readonly enabled?: boolean | undefined;
  readonly at_sec?: number | undefined;
}

/** The one parameter that each action takes; other parameters are refused. */
const PARAMETER_OF = {
  run: undefined,
  freeze: 'at_sec',
  step: 'frames',
  clock_ratio: 'ratio',
  real_time: 'enabled',
  terminate: undefined,
} as const;

function controlOf({ action, ...rest }: ControlParams): Control {
  const own = PARAMETER_OF[action];
  const stray = Object.entries(rest).find(([name, value]) => value !== undefined && name !== own);
  if (stray) throw new RpcError(RpcCode.invalidParams, `sim/control: ${stray[0]} does not go with "${action}"`);
  switch (action) {
    case 'run':
      return { action };
    case 'freeze':
      return rest.at_sec === undefined ? { action } : { action, atSeconds: rest.at_sec };
    case 'step':
      return { action, frames: rest.frames ?? 1 };
    case 'clock_ratio':
      return { action: 'clock-ratio', ratio: needed(rest.ratio, action) };
    case 'terminate':
      return { action: 'stop' };
    case 'real_time':
      return { action: 'real-time', enabled: needed(rest.enabled, action) };
  }
}

function needed<Value>(value: Value | undefined, action: keyof typeof PARAMETER_OF): Value {
  if (value !== undefined) return value;
  throw new RpcError(RpcCode.invalidParams, `sim/control: "${action}" needs ${PARAMETER_OF[action]}`);
}

export const simMethods: readonly Method<CallContext>[] = [status, control, seek];
