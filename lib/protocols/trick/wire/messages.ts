// Every message of a Trick session, by name: its indicator, its layout, and where Trick writes it. Announcements and the
// message port have texts of their own (lib/protocols/trick/front-end).

export interface WireMessage {
  /** The first field: a number in text, an int32 in binary messages. Trick: variable_server_message_types.h */
  readonly indicator: number;
  /** The command or event that it answers, for the reference page. */
  readonly answers: string;
  /** As text; `\t` and `\n` stand for one byte each, `<bytes>` for a count. */
  readonly ascii: string;
  /** As bytes, numbers in the session's byte order; a message without this looks the same in both formats. */
  readonly binary?: string;
  /** Trick's constant, and the function that writes the message. */
  readonly trick: string;
}

const BINARY_LIST = 'header and variables, see below';

export const MESSAGES = {
  varList: {
    indicator: 0,
    answers: '`var_send`, and every cycle',
    ascii: '0\\t<value>\\t<value>...\\n',
    binary: BINARY_LIST,
    trick: 'VS_VAR_LIST, VariableServerSession::write_data',
  },
  varExists: {
    indicator: 1,
    answers: '`var_exists`',
    ascii: '1\\t<0 or 1>\\n',
    binary: 'int32 1, one byte; always little-endian',
    trick: 'VS_VAR_EXISTS, VariableServerSession::var_exists',
  },
  file: {
    indicator: 2,
    answers: '`send_file`, `send_sie_resource` and its like',
    ascii: '2\\t<bytes, or -1>\\n<the bytes>',
    trick: 'VS_SIE_RESOURCE, VariableServerSession::transmit_file',
  },
  listSize: {
    indicator: 3,
    answers: '`var_send_list_size`, `mtv_send_event_data`',
    ascii: '3\\t<count>\\n',
    binary: 'int32 3, int32 0, int32 count; always little-endian',
    trick: 'VS_LIST_SIZE, VariableServerSession::send_list_size',
  },
  stdio: {
    indicator: 4,
    answers: 'whatever prints, after `var_set_send_stdio(True)`',
    ascii: '4 <1 stdout, 2 stderr> <bytes>\\n<the bytes>',
    trick: 'VS_STDIO, VariableServerSession::write_stdio',
  },
  sendOnce: {
    indicator: 5,
    answers: '`var_send_once`',
    ascii: '5\\t<value>\\t<value>...\\n',
    binary: BINARY_LIST,
    trick: 'VS_SEND_ONCE, VariableServerSession::var_send_once',
  },
  stlSize: {
    indicator: 6,
    answers: '`var_get_stl_size`',
    ascii: '6\\t<elements or BAD_REF>\\n',
    binary: 'int32 6, int32 elements; always little-endian',
    trick: 'VS_GET_STL_SIZE, VariableServerSession::var_get_stl_size',
  },
} as const satisfies Readonly<Record<string, WireMessage>>;

/** The indicator of a message that shows a list of values. */
export type ListIndicator = (typeof MESSAGES)['varList' | 'sendOnce']['indicator'];

/** Trick writes at most this many bytes at a time. Trick: MAX_MSG_LEN */
export const LONGEST_WRITE_BYTES = 8192;
