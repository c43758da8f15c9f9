// A source that is not a simulation: a recording, here a CSV file of telemetry, which clients can play.
//   node build/sims/telemetry.js flight.csv
import { pathToFileURL } from 'node:url';
import { openRecording, playRecording, serveSource } from 'varwire';

const [, program = '', file] = process.argv;
if (file !== undefined && import.meta.url === pathToFileURL(program).href) {
  const { source, run } = playRecording(openRecording(file));
  const { port } = await serveSource(source, { port: 7000 });
  console.log(`${file} is served on port ${port}: http://127.0.0.1:${port}/`);
  run();
}
