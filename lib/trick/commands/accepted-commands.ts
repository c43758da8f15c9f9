// Commands that Trick's input files call and that have no effect here: each is accepted, and says so once in the log.
import { answeringZero, type Command, type CommandContext, command } from './command.js';

/** Why nothing happens, by command. */
const WHY: Readonly<Record<string, readonly string[]>> = {
  'the clock of this process paces the run': [
    'itimer_enable',
    'itimer_disable',
    'real_time_change_clock',
    'real_time_change_timer',
    'real_time_restart',
  ],
  'no program is started from here': [
    'add_external_application',
    'remove_external_application',
    'remove_all_external_applications',
    'sim_control_panel_set_enabled',
    'trick_view_set_enabled',
    'exec_set_debugger_command',
    'exec_set_stack_trace_command',
  ],
  'all jobs run on one thread, which the operating system schedules': [
    'exec_set_thread_amf_cycle_time',
    'exec_set_thread_async_cycle_time',
    'exec_set_thread_async_wait',
    'exec_set_thread_cpu_affinity',
    'exec_set_thread_priority',
    'exec_set_thread_process_type',
    'exec_set_thread_enabled',
    'exec_set_thread_rt_semaphores',
    'exec_set_lock_memory',
    'data_record_cpu_set',
    'message_cpu_set',
    'var_server_cpu_set',
    'real_time_lock_memory',
  ],
  'addresses of clients are never looked up by name': ['var_resolve_hostname'],
  'a run ends with a sentence, whatever signal or error ends it': ['exec_set_trap_sigchld'],
  'tics are always a millionth of a second': ['exec_set_time_tic_value'],
  'time begins at zero, and goes on from a checkpoint': ['exec_set_time', 'exec_set_time_tics'],
  'jobs run in the order of their classes': [
    'exec_add_depends_on_job',
    'exec_add_scheduled_job_class',
    'exec_instrument_before',
    'exec_instrument_after',
    'exec_instrument_remove',
  ],
  'how long jobs take is in the frame log': ['echo_jobs_on', 'echo_jobs_off'],
  'the run directory is for the operator to say': [
    'output_dir_timestamped_on',
    'output_dir_timestamped_off',
    'set_output_dir',
  ],
  'checkpoints are written when they are asked for': [
    'checkpoint_pre_init',
    'checkpoint_post_init',
    'checkpoint_end',
    'checkpoint_cpu',
    'checkpoint_safestore',
    'checkpoint_safestore_set_enabled',
  ],
  'a checkpoint is always whole, with decimal numbers': ['TMM_reduced_checkpoint', 'TMM_hexfloat_checkpoint'],
  'there is no debugging output of memory': ['TMM_set_debug_level'],
  'there are no shared libraries': ['TMM_add_shared_library_symbols'],
  'which addresses are bound is for the operator to say': ['var_server_set_source_address'],
};

/** The most arguments that any of these commands takes in Trick. */
const any = ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'value', standard: null }) as const);

/** By server: sentences that have been logged already. */
const said = new WeakMap<CommandContext['server'], Set<string>>();

/** Logs a sentence once in the life of a server. */
export function sayOnce({ server }: CommandContext, sentence: string): void {
  const sentences = said.get(server) ?? new Set();
  said.set(server, sentences);
  if (sentences.has(sentence)) return;
  sentences.add(sentence);
  server.log(sentence, 'normal');
}

export const acceptedCommands: readonly Command[] = answeringZero(
  Object.entries(WHY).flatMap(([why, names]) =>
    names.map((name) =>
      command(name, any, `Taken, and does nothing: ${why}.`, (context) =>
        sayOnce(context, `trick.${name} is taken and does nothing: ${why}`),
      ),
    ),
  ),
);
