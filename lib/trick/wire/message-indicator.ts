// The first field of every Trick reply, as text or as an int32. Trick: include/trick/variable_server_message_types.h

export const MessageIndicator = {
  /** VS_IP_ERROR */
  protocolError: -1,
  /** VS_VAR_LIST */
  varList: 0,
  /** VS_VAR_EXISTS */
  varExists: 1,
  /** VS_SIE_RESOURCE: files and resource files */
  sieResource: 2,
  /** VS_LIST_SIZE */
  listSize: 3,
  /** VS_STDIO */
  stdio: 4,
  /** VS_SEND_ONCE */
  sendOnce: 5,
  /** VS_STL_SIZE */
  stlSize: 6,
} as const;
export type MessageIndicator = (typeof MessageIndicator)[keyof typeof MessageIndicator];

/** Trick writes at most this many bytes at a time. Trick: MAX_MSG_LEN */
export const LONGEST_WRITE_BYTES = 8192;
