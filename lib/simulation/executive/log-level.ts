// The severity of a log line of the simulation, the server or a front-end.

/** Trick: MessagePublisher::MSG_TYPE */
export type LogLevel = 'error' | 'warning' | 'normal' | 'informational' | 'debug';
