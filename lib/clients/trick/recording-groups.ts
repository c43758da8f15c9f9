// The recordings of a simulation, which no variable tells.
import type { CallResult } from './control.js';
import type { Message } from './message-splitter.js';

/** More are not listed. */
const MOST = 100;
const KINDS = { DRAscii: 'ascii', DRBinary: 'binary', DRHDF5: 'hdf5' } as const;

export interface RecordingGroup {
  readonly name: string;
  readonly kind: (typeof KINDS)[keyof typeof KINDS];
}

interface Client {
  call(name: string): Promise<CallResult>;
  send(text: string): Promise<readonly Message[]>;
}

/** Trick: get_num_data_record_groups, get_data_record_group_by_idx */
export async function recordingGroups(client: Client): Promise<RecordingGroup[]> {
  // What is printed comes here once a function has been called.
  const count = Math.min(MOST, Number(await client.call('get_num_data_record_groups')));
  const groups = Array.from({ length: count }, (_, index) => `trick.get_data_record_group_by_idx(${index})`);
  const replies = await client.send(groups.map((group) => `print(${group}.get_group_name(), ${group})\n`).join(''));
  const printed = replies.map((reply) => (reply.kind === 'stdio' && reply.stream === 'stdout' ? reply.text : ''));
  return printed
    .join('')
    .split('\n')
    .flatMap((line) => {
      const [, name, type] = /^(\S+) .*\b(DRAscii|DRBinary|DRHDF5)\b/.exec(line) ?? [];
      return name === undefined ? [] : [{ name, kind: KINDS[type as keyof typeof KINDS] }];
    });
}
