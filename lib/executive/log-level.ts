// How grave a line is that somebody has to say: the simulation, the server or a front-end.

/** Trick: MessagePublisher::MSG_TYPE */
export type LogLevel = 'error' | 'warning' | 'normal' | 'informational';
