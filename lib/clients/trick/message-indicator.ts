// The first field of a server's message, which tells what the message is. Trick: variable_server_message_types.h, VS_MESSAGE_TYPE

export const MessageIndicator = {
  protocolError: -1,
  list: 0,
  exists: 1,
  file: 2,
  listSize: 3,
  stdio: 4,
  sendOnce: 5,
  stlSize: 6,
} as const;

export type MessageIndicator = (typeof MessageIndicator)[keyof typeof MessageIndicator];
