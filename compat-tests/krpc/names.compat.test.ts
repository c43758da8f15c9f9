// The names of the example simulations' services in the languages of kRPC's clients.
import { expect } from 'chai';
import { troubleWithNames } from '../../lib/testing/aids/krpc-names.js';
import { ServerHere } from '../launch.js';
import { call, KrpcClient, readServices } from './client.js';

describe("the names of kRPC's services", () => {
  for (const name of ['sims/ball', 'sims/lander', 'sims/satellite', 'sims/cannon', 'compat-tests/fixture/fixture']) {
    it(`of ${name} are names in every language`, async () => {
      const server = await ServerHere.start(`${name}.js`, { options: ['--no-discovery', '--krpc', '0'] });
      try {
        const client = await KrpcClient.tcp(server.krpcPorts);
        const services = readServices(await client.call(call('KRPC', 'GetServices')));
        client.close();
        for (const service of services) {
          // kRPC's own service is as it is.
          if (service.name !== 'KRPC') expect(troubleWithNames(service), service.name).to.deep.equal([]);
        }
      } finally {
        await server.stop();
      }
    });
  }
});
