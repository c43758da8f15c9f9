// Serves kRPC's TestService, for the test suites of kRPC's clients: `node build/compat-tests/krpc/serve.js [PORT]`.
import { serve } from '../../lib/index.js';
import { testService } from './test-service.js';

const port = Number(process.argv[2] ?? 50_000);
const server = await serve(new URL('test-simulation.js', import.meta.url), {
  port: 0,
  discovery: false,
  krpc: port,
  krpcServices: { services: [testService()], isAlone: true },
});
const portOf = (name: string): number => server.endpoints.find((endpoint) => endpoint.name === name)?.port ?? 0;
console.log(`RPC_PORT=${portOf('krpc')} STREAM_PORT=${portOf('krpc-stream')}`);
