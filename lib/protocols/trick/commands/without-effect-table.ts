// What of Trick's Python module a simulation does without here: what is taken and does nothing, what is refused, other names.
// Trick: include/trick; names stand in texts with blanks between them.
import { NO_MONTE_CARLO } from '../monte-carlo/study.js';

/** Functions and classes for one reason, which is told once. */
export interface CommandRow {
  readonly why: string;
  /** A name may end with a star, which stands for all that begin so. */
  readonly names: string;
  /** What they answer: 0 by default, an object that takes whatever it is told for `object`. */
  readonly answer?: bigint | number | string | typeof OBJECT;
}

export const OBJECT = Symbol('object');

const NO_PROGRAM = 'no program is started from here';
const ONE_THREAD = 'all jobs run on one thread, which the operating system schedules';
const OWN_CLOCK = 'the clock of this process paces the run';
const ALWAYS_SENT = 'messages go to the log and to readers of messages';
const NO_RUNS = 'there are no Monte Carlo runs to set';

export const TAKEN: readonly CommandRow[] = [
  { why: 'threads of this machine make the runs of a Monte Carlo', names: 'MonteSlave', answer: OBJECT },
  {
    why: OWN_CLOCK,
    names:
      'itimer_enable itimer_disable real_time_change_clock real_time_change_timer real_time_restart clock_reset clock_spin clock_set_reference',
  },
  { why: OWN_CLOCK, names: 'real_time_clock_get_name', answer: 'wall clock' },
  { why: OWN_CLOCK, names: 'GetTimeOfDayClock BC635Clock ITimer', answer: OBJECT },
  {
    why: NO_PROGRAM,
    names: [
      'add_external_application remove_external_application remove_all_external_applications launch_all_external_applications',
      'exec_set_debugger_command exec_set_stack_trace_command trick_view_set_cycle_period trick_view_add_auto_load_file',
      'sim_control_panel_set_enabled sim_control_panel_auto_exit_set_enabled trick_view_set_enabled',
      'malfunctions_trick_view_set_enabled monte_monitor_set_enabled stripchart_set_enabled',
      'sim_control_panel_set_startup_command trick_view_set_startup_command malfunctions_trick_view_set_startup_command',
      'monte_monitor_set_startup_command stripchart_set_startup_command',
      'sim_control_panel_launch trick_view_launch malfunctions_trick_view_launch monte_monitor_launch stripchart_launch',
      'sim_control_panel_get_enabled trick_view_get_enabled malfunctions_trick_view_get_enabled',
      'monte_monitor_get_enabled stripchart_get_enabled',
    ].join(' '),
  },
  {
    why: NO_PROGRAM,
    names:
      'exec_get_debugger_command sim_control_panel_get_startup_command trick_view_get_startup_command malfunctions_trick_view_get_startup_command monte_monitor_get_startup_command stripchart_get_startup_command',
    answer: '',
  },
  {
    why: NO_PROGRAM,
    names: 'SimControlPanel TrickView ExternalApplication MonteMonitor MalfunctionsTrickView StripChart',
    answer: OBJECT,
  },
  {
    why: ONE_THREAD,
    names: [
      'exec_set_thread_amf_cycle_time exec_set_thread_async_cycle_time exec_set_thread_async_wait exec_set_thread_cpu_affinity',
      'exec_set_thread_priority exec_set_thread_process_type exec_set_thread_enabled exec_set_thread_rt_semaphores',
      'exec_get_process_id exec_set_lock_memory data_record_cpu_set message_cpu_set var_server_cpu_set real_time_lock_memory checkpoint_cpu',
    ].join(' '),
  },
  { why: ONE_THREAD, names: 'exec_get_thread_amf_cycle_time', answer: 0.0 },
  { why: ONE_THREAD, names: 'exec_get_num_threads', answer: 1n },
  { why: ONE_THREAD, names: 'exec_get_thread var_server_get_listen_thread', answer: OBJECT },
  { why: 'addresses of clients are never looked up by name', names: 'var_resolve_hostname' },
  {
    why: 'a run ends with a sentence, whatever signal or error ends it',
    names: 'exec_set_trap_sigchld exec_get_trap_sigchld',
  },
  { why: 'tics are always a millionth of a second', names: 'exec_set_time_tic_value' },
  { why: 'time begins at zero, and goes on from a checkpoint', names: 'exec_set_time exec_set_time_tics' },
  {
    why: 'jobs run in the order of their classes',
    names:
      'exec_add_depends_on_job exec_add_scheduled_job_class exec_instrument_before exec_instrument_after exec_instrument_remove exec_get_scheduled_start_index',
  },
  { why: 'how long jobs take is in the frame log', names: 'echo_jobs_on echo_jobs_off' },
  {
    why: 'the version is that of this server',
    names: 'exec_set_version_date_tag exec_set_build_date exec_set_current_version',
  },
  { why: 'no debugger pauses jobs', names: 'debug_pause_flag' },
  {
    why: 'the run directory is for the operator to say',
    names: 'output_dir_timestamped_on output_dir_timestamped_off set_output_dir',
  },
  {
    why: 'checkpoints are written when they are asked for',
    names: [
      'checkpoint_pre_init checkpoint_post_init checkpoint_end checkpoint_safestore checkpoint_safestore_period',
      'checkpoint_safestore_set_enabled get_checkpoint_pre_init get_checkpoint_post_init get_checkpoint_end',
    ].join(' '),
  },
  {
    why: 'checkpoints are written when they are asked for',
    names: 'checkpoint_get_output_file checkpoint_get_load_file',
    answer: '',
  },
  { why: 'load_checkpoint loads at once', names: 'load_checkpoint_job' },
  { why: 'what was asked for has been done', names: 'exec_get_freeze_command exec_get_exec_command' },
  { why: 'files of recordings are replaced by new ones', names: 'dr_remove_files' },
  { why: 'there is no DMTCP here', names: 'dmtcp_checkpoint_safestore dmtcp_checkpoint_safestore_period' },
  {
    why: 'a checkpoint is always whole, with decimal numbers',
    names: 'TMM_reduced_checkpoint TMM_hexfloat_checkpoint',
  },
  { why: 'there is no debugging output of memory', names: 'TMM_set_debug_level' },
  { why: 'there are no shared libraries', names: 'TMM_add_shared_library_symbols' },
  { why: 'which addresses are bound is for the operator to say', names: 'var_server_set_source_address' },
  { why: 'recordings are always written as they are', names: 'dr_set_verif_onoff' },
  {
    why: ALWAYS_SENT,
    names:
      'message_add_subscriber message_remove_subscriber message_subscribe message_unsubscribe separate_thread_set_enabled',
  },
  {
    why: ALWAYS_SENT,
    names:
      'message_get_subscriber MessageCout MessageLCout MessageThreadedCout MessageFile MessageHSFile MessageTCDevice MessageCustomFile MessageCustomManager',
    answer: OBJECT,
  },
  {
    why: 'send_sie_resource sends the resource file',
    names: 'sie_print_xml sie_class_attr_map_print_xml sie_enum_attr_map_print_xml sie_top_level_objects_print_xml',
  },
  { why: 'the environment of this process stays as it is', names: 'env_add_var env_print_vars' },
  {
    why: 'no report of tests is written',
    names: 'trick_test_set_file_name trick_test_set_test_name trick_test_add_parent call_write_output',
  },
  { why: 'there are no masters and slaves here', names: 'ms_master_disable' },
  {
    why: NO_RUNS,
    names: [
      'mc_set_num_runs mc_set_dry_run mc_set_timeout mc_set_max_tries mc_set_verbosity mc_set_current_run mc_set_user_cmd_string',
      'mc_set_custom_slave_dispatch mc_set_custom_pre_text mc_set_custom_post_text mc_set_localhost_as_remote',
      'mc_set_slave_sim_options mc_set_slave_output_directory mc_set_listen_device_port mc_set_connection_device_port',
      'mc_set_data_listen_device_port mc_set_data_connection_device_port',
      'mc_get_enabled mc_is_slave mc_get_slave_id mc_get_num_runs mc_get_num_results mc_get_current_run mc_get_dry_run',
      'mc_get_max_tries mc_get_verbosity mc_get_custom_slave_dispatch mc_get_localhost_as_remote',
      'mc_get_listen_device_port mc_get_connection_device_port mc_get_data_listen_device_port mc_get_data_connection_device_port',
    ].join(' '),
  },
  { why: NO_RUNS, names: 'mc_get_timeout', answer: 0.0 },
  {
    why: NO_RUNS,
    names: 'mc_get_user_cmd_string mc_get_custom_pre_text mc_get_custom_post_text',
    answer: '',
  },
];

/** Going on without these would be silently wrong. In a reason a star stands for the name. */
export const REFUSED: readonly CommandRow[] = [
  {
    why: NO_MONTE_CARLO,
    names:
      'mc_add_variable mc_add_slave mc_start_slave mc_stop_slave mc_add_range mc_read mc_write mc_get_connection_device MonteVarFile MonteVarRandom MonteVarCalculated MonteVarFixed MonteCarlo*',
  },
  {
    why: 'a server has one simulation here; there are no masters and slaves',
    names: 'ms_master_enable SlaveInfo MSSocket MSSharedMem',
  },
  {
    why: '* hands over data of C++, and there is none here',
    names: [
      'exec_get_exec_cpp exec_add_sim_object exec_remove_sim_object exec_get_sim_objects exec_get_curr_job',
      'exec_get_all_jobs_vector exec_register_scheduler var_server_get_var_server get_external_applications',
      'TMM_declare_operatornew_var ref_attributes ref_var ref_allocate ref_assignment ref_free ref_to_value add_var add_vars',
      'follow_address_path get_truncated_size io_get_fixed_truncated_size get_alloc_info_of get_alloc_info_at',
      'set_alloc_name_at get_enumerated next_attr_name trickTypeCharString trickSTLTypeCharString vval_*',
      'delete_v_tree wrap_ptr regula_falsi reset_regula_falsi trick_error_* trick_gsl_* tc_* tsm_* DLL_*',
    ].join(' '),
  },
  {
    why: "* is not here: the simulation's own code integrates",
    names: [
      'integrate integrate_1st_order_ode integrate_2nd_order_ode get_integ_time get_integ_dt get_integ_target_time',
      'set_integ_time reset_state load_state_element load_state load_deriv load_deriv2 unload_state load_indexed_state',
      'load_indexed_deriv load_indexed_deriv2 unload_indexed_state get_intermediate_step set_intermediate_step get_integ_type',
    ].join(' '),
  },
  { why: '* is not here: no C++ is compiled', names: 'jit_*' },
  { why: '* is not here: there is no DMTCP, and trick.checkpoint writes the state', names: 'dmtcp_checkpoint' },
  {
    why: '* is not here: trick.var_set or an assignment sets a variable between frames',
    names: 'rti_*',
  },
  { why: '* is not here: there is no calendar time', names: 'get_rettime* get_gmttime* get_mettime*' },
  {
    why: '* is not here: no text reads the clock of this process',
    names: 'clock_time clock_wall_time clock_get_rt_clock_ratio',
  },
  { why: '* is not here: jobs collect nothing', names: 'add_collect delete_collect' },
  {
    why: '* is not here: trick.attach_units and assignments convert units',
    names: 'new_units conv_fn_u conv_fn_s convert_units convert_units_spec list_units',
  },
  { why: '* is not here: the command line is for the operator to say', names: 'command_line_args_process_sim_args' },
];

/** Other names of commands. Trick: shortcuts.py */
export const ALIASES: Readonly<Record<string, string>> = {
  exec_signal_terminate: 'exec_terminate',
  ippython_new_event: 'new_event',
  ippython_delete_event: 'delete_event',
  ippython_add_event: 'add_event',
  ippython_add_event_before: 'add_event_before',
  ippython_add_event_after: 'add_event_after',
  ippython_add_read: 'add_read',
  ippython_manual_on: 'manual_on',
  ippython_manual_fire: 'manual_fire',
  ippython_manual_off: 'manual_off',
  ippython_manual_done: 'manual_done',
  event_manager_get_event: 'get_event',
  event_manager_add_event: 'add_event',
  event_manager_add_event_before: 'add_event_before',
  event_manager_add_event_after: 'add_event_after',
  event_manager_remove_event: 'remove_event',
  set_var_server_enabled: 'var_server_set_enabled',
  get_var_server_enabled: 'var_server_get_enabled',
  mm_declare_ext_var: 'TMM_declare_ext_var_s',
  clock_set_rt_clock_ratio: 'real_time_set_rt_clock_ratio',
  command_line_args_get_user_output_dir: 'command_line_args_get_output_dir',
  command_line_args_get_input_file_ref: 'command_line_args_get_input_file',
  TMM_read_checkpoint_from_string: 'read_checkpoint_from_string',
};

/** Objects of Trick's that have no variables here: they take whatever they are told. A name is a path, or a pattern. */
export const OBJECTS: readonly { readonly why: string; readonly path: RegExp; readonly parts?: readonly string[] }[] = [
  { why: ALWAYS_SENT, path: /^trick_message\.(mtcout|mcout|mfile|mlcout|pfile|mdevice)$/ },
  {
    why: NO_PROGRAM,
    path: /^trick_vs\.(sim_control_panel|trick_view|malfunctions_trick_view|stripchart|monte_monitor)$/,
  },
  { why: OWN_CLOCK, path: /^trick_real_time\.(gtod_clock|itimer)$/ },
  { why: 'the operator and the input file say whether there is a web server', path: /^web$/, parts: ['server'] },
  {
    why: "the simulation's own code chooses its integrators and their steps",
    path: /^\w*integ_?loop$/i,
    parts: ['integ_sched'],
  },
  {
    why: 'this machine announces simulations by itself (varwire run --no-discovery)',
    path: /^trick_zero_conf$/,
    parts: ['zc'],
  },
];
