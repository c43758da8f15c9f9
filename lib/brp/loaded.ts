// What the first request loads: the methods with their schemas, and who answers with them.
export { Conversation } from './conversation.js';
export { BrpService } from './service.js';
export { openBrpSocket } from './websocket-session.js';
