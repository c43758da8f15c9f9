// `trick_data_record.drd`, by which older input files reach the recordings. Trick: DataRecordDispatcher.hh
import { fixedModule } from '../interpreter/modules.js';
import type { ModuleValue } from '../interpreter/values.js';

/** Its methods, and the commands that do the same. */
const COMMANDS: Readonly<Record<string, string>> = {
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
};

/** The module `trick_data_record`. @param trick the module with the commands. */
export function recordingDispatcher(trick: ModuleValue): ModuleValue {
  const drd: ModuleValue = {
    kind: 'module',
    name: 'trick_data_record.drd',
    attribute: (name) => (Object.hasOwn(COMMANDS, name) ? trick.attribute(COMMANDS[name] as string) : undefined),
    names: () => Object.keys(COMMANDS),
  };
  return fixedModule('trick_data_record', { drd });
}
