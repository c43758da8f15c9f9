// Commands on the jobs of a simulation. Trick: exec_proto.h

import { type Callable, HostObject, type Run, ScriptError, type ScriptValue } from '../../python/index.js';
import { type Command, type CommandContext, command, contextOf, type RequestResult } from './command.js';
import { printedAsTrick } from './convert.js';

const job = { name: 'job_name', type: 'text' } as const;
const instance = { name: 'instance_num', type: 'integer' } as const;
const onOff = { name: 'on', type: 'boolean' } as const;
/** Trick's answer when there is no such job or object. */
const NONE = -1n;

const choiceOf = (name: string, place: bigint) => ({ job: name, instance: place > 0n ? Number(place) : 1 });

/** Answers 0 when the simulation answers with a value, otherwise -1; a refusal becomes a complaint. */
function* done({ complain }: CommandContext, asking: Run<RequestResult>): Run<bigint> {
  const asked = yield* asking;
  if ('refusal' in asked) complain(asked.refusal);
  return 'value' in asked && asked.value !== undefined ? 0n : NONE;
}

/** A job by its name, with methods that switch it. Trick: JobData::enable, disable */
class JobValue extends HostObject {
  readonly typeName = 'JobData';

  constructor(
    readonly name: string,
    private readonly switched: (isOn: boolean, context: CommandContext) => Run<RequestResult>,
  ) {
    super();
  }

  override attribute(name: string): ScriptValue | undefined {
    if (name === 'name') return this.name;
    return Object.hasOwn(SWITCHES, name) ? this.switching(name, SWITCHES[name] as boolean) : undefined;
  }

  override names(): Iterable<string> {
    return ['name', ...Object.keys(SWITCHES)];
  }

  private switching(name: string, isOn: boolean): Callable {
    const { switched } = this;
    return {
      kind: 'callable',
      name,
      *call(_, tools) {
        const asked = yield* switched(isOn, contextOf(tools));
        if ('refusal' in asked) throw new ScriptError('RuntimeError', asked.refusal);
        return null;
      },
    };
  }
}

const SWITCHES: Readonly<Record<string, boolean>> = { enable: true, disable: false };

export const jobCommands: readonly Command[] = [
  command(
    'exec_set_job_onoff',
    [job, instance, onOff],
    'Lets a job run, or skips it; of jobs with one name, the instance says which. Answers -1 when there is none.',
    (context, [name, place, isOn]) => done(context, context.ask({ kind: 'job', choice: choiceOf(name, place), isOn })),
  ),
  command(
    'exec_set_job_cycle',
    [job, instance, { name: 'in_cycle', type: 'seconds' }],
    'Sets how often a job runs, in seconds; no oftener than once a frame, unless it was made so. Answers -1 when there is none.',
    (context, [name, place, cycleSeconds]) =>
      done(context, context.ask({ kind: 'job', choice: choiceOf(name, place), cycleSeconds })),
  ),
  command(
    'exec_get_job_cycle',
    [job, { ...instance, standard: 1n }],
    'How often a job runs, in seconds; -1 when there is none.',
    function* (context, [name, place]) {
      const asked = yield* context.ask({ kind: 'job', choice: choiceOf(name, place) });
      if ('refusal' in asked) context.complain(asked.refusal);
      return 'value' in asked && typeof asked.value === 'number' ? printedAsTrick(asked.value) : NONE;
    },
  ),
  command(
    'exec_get_job',
    [job, { ...instance, standard: 1n }],
    'A job, of which `enable()` and `disable()` switch it; None when there is none.',
    function* (context, [name, place]) {
      const choice = choiceOf(name, place);
      const asked = yield* context.ask({ kind: 'job', choice });
      if ('refusal' in asked) context.complain(asked.refusal);
      if (!('value' in asked) || asked.value === undefined) return null;
      return new JobValue(name, (isOn, { ask }) => ask({ kind: 'job', choice, isOn }));
    },
  ),
  command(
    'exec_set_sim_object_onoff',
    [{ name: 'sim_object_name', type: 'text' }, onOff],
    'Lets the jobs whose names begin with that of an object run, or skips them. Answers -1 when there is no such object.',
    function* (context, [object, isOn]) {
      if (!context.session.catalog.object(object)) return NONE;
      const asked = yield* context.ask({ kind: 'job', choice: { object }, isOn });
      if ('refusal' in asked) context.complain(asked.refusal);
      return 'refusal' in asked ? NONE : 0n;
    },
  ),
];
