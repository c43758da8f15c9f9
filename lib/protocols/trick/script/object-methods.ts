// Methods of Trick's own objects, such as `trick_sys.sched.set_freeze_command(True)`: each is a command. Trick: shortcuts.py
import { fixedModule, type ModuleValue, type ScriptValue } from '../../python/index.js';

/** How an object's methods become commands: by a prefix of the command's name, or by another name. */
interface ServiceObject {
  readonly prefix?: string;
  readonly others?: Readonly<Record<string, string>>;
}

const same = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [name, name]));

const OBJECTS: Readonly<Record<string, ServiceObject>> = {
  'trick_sys.sched': { prefix: 'exec_', others: same('run', 'freeze', 'stop') },
  'trick_real_time.rt_sync': { prefix: 'real_time_', others: { is_active: 'is_real_time' } },
  'trick_real_time.itimer': { prefix: 'itimer_' },
  'trick_vs.vs': {
    prefix: 'var_server_',
    others: same(
      'set_var_server_info_msg_on',
      'set_var_server_info_msg_off',
      'set_var_server_log_on',
      'set_var_server_log_off',
    ),
  },
  'trick_cmd_args.cmd_args': { prefix: 'command_line_args_' },
  'trick_instruments.debug_pause': { others: same('debug_pause_on', 'debug_pause_off', 'debug_signal') },
  'trick_instruments.echo_jobs': { others: same('echo_jobs_on', 'echo_jobs_off') },
  'trick_mc.mc': { prefix: 'mc_' },
  'trick_cpr.cpr': {
    others: {
      ...same('checkpoint', 'checkpoint_objects', 'load_checkpoint'),
      set_pre_init_checkpoint: 'checkpoint_pre_init',
      set_post_init_checkpoint: 'checkpoint_post_init',
      set_end_checkpoint: 'checkpoint_end',
      set_safestore_enabled: 'checkpoint_safestore_set_enabled',
    },
  },
  'trick_data_record.drd': {
    others: {
      add_group: 'add_data_record_group',
      remove_group: 'remove_data_record_group',
      remove_all_groups: 'remove_all_data_record_groups',
      get_group: 'get_data_record_group',
      get_groups_size: 'get_num_data_record_groups',
      enable: 'dr_enable',
      disable: 'dr_disable',
      record_now_group: 'dr_record_now_group',
      set_max_file_size: 'dr_set_max_file_size',
      set_group_max_file_size: 'set_max_size_record_group',
    },
  },
  trick_message: { others: same('separate_thread_set_enabled') },
  'trick_message.mpublisher': {
    others: { subscribe: 'message_subscribe', unsubscribe: 'message_unsubscribe', publish: 'message_publish' },
  },
  'trick_frame_log.frame_log': {
    prefix: 'frame_log_',
    others: { framelog_on: 'frame_log_on', framelog_off: 'frame_log_off' },
  },
  'trick_sie.sie': { prefix: 'sie_' },
  'trick_jit.jit': { prefix: 'jit_' },
  'trick_inject.rtis': { prefix: 'rti_' },
  'trick_dmtcp.dmtcp': { prefix: 'dmtcp_' },
  'trick_master_slave.master': { prefix: 'ms_master_' },
  'trick_em.em': { others: same('activate_event', 'deactivate_event', 'get_event', 'remove_event') },
  'trick_mm.mm': {
    prefix: 'TMM_',
    others: {
      declare_var: 'TMM_declare_var_s',
      set_expanded_arrays: 'TMM_reduced_checkpoint',
      set_reduced_checkpoint: 'TMM_reduced_checkpoint',
      set_hexfloat_checkpoint: 'TMM_hexfloat_checkpoint',
    },
  },
};

const commandOf = ({ prefix, others = {} }: ServiceObject, method: string): string | undefined =>
  Object.hasOwn(others, method) ? others[method] : prefix && `${prefix}${method}`;

/** An object as a module: its methods are those of the module of commands. */
function moduleOf(path: string, object: ServiceObject, trick: ModuleValue): ModuleValue {
  const { prefix, others = {} } = object;
  return {
    kind: 'module',
    name: path,
    attribute: (method) => {
      const command = commandOf(object, method);
      return command === undefined ? undefined : trick.attribute(command);
    },
    names: () => [
      ...Object.keys(others),
      ...[...trick.names()].flatMap((name) =>
        prefix !== undefined && name.startsWith(prefix) ? [name.slice(prefix.length)] : [],
      ),
    ],
  };
}

/** Finds the method at a path below one of the catalog's objects. @param trick the module of commands. */
export function objectMethods(trick: ModuleValue): (path: string) => ScriptValue | undefined {
  const modules = new Map(Object.entries(OBJECTS).map(([path, object]) => [path, moduleOf(path, object, trick)]));
  return (path) => {
    const dot = path.lastIndexOf('.');
    return modules.get(path) ?? modules.get(path.slice(0, dot))?.attribute(path.slice(dot + 1));
  };
}

/** Objects that have no variables. */
const WITHOUT_VARIABLES = [
  'trick_cpr.cpr',
  'trick_data_record.drd',
  'trick_dmtcp.dmtcp',
  'trick_em.em',
  'trick_frame_log.frame_log',
  'trick_inject.rtis',
  'trick_jit.jit',
  'trick_master_slave.master',
  'trick_mm.mm',
  'trick_sie.sie',
];

export const serviceModules = (trick: ModuleValue): readonly (readonly [string, ModuleValue])[] =>
  WITHOUT_VARIABLES.map((path) => {
    const [top = path, inner = ''] = path.split('.');
    return [top, fixedModule(top, { [inner]: moduleOf(path, OBJECTS[path] as ServiceObject, trick) })];
  });
