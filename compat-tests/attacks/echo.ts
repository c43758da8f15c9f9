// `node echo.js`: a process that sends back what it gets, on the port that it prints first, until its input ends: what the
// machine makes everybody wait.
import { type AddressInfo, createServer } from 'node:net';

const server = createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => undefined);
  socket.pipe(socket);
});
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
// Whoever started it may end without a word.
process.stdin.resume().on('end', () => process.exit());
