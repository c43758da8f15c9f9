// The services of a server: KRPC, VarServer, the simulation's own, and those of an embedding program.
import type { Source } from '../../source/source.js';
import { coreService } from './expression/core-service.js';
import type { AddedServices } from './service/procedure.js';
import { servicesBytes } from './service/service-bytes.js';
import { type LatestServices, type NumberedService, ServiceTable } from './service/service-table.js';
import { genericService } from './simulation/generic-service.js';
import { Identifiers } from './simulation/identifiers.js';
import { RESERVED_SERVICES, RESERVED_TYPES } from './simulation/reserved-words.js';
import { simulationService } from './simulation/simulation-service.js';

/** Numbers of the services that are always there; kRPC's own service has the number 1. */
const CORE = 1;
const GENERIC = 2;
const SIMULATION = 3;
/** The version of a catalog that has not been looked at. */
const NONE = -1;

/** What they are made of. */
interface Described extends Pick<Source, 'catalog'> {
  readonly info: Pick<Source['info'], 'name'>;
}

export class Services implements LatestServices {
  private readonly fixed: readonly NumberedService[];
  private readonly simulationName: string;
  private readonly isAlone: boolean;
  private latest: { readonly version: number; readonly table: ServiceTable; bytes?: Uint8Array };

  /** Throws an Error for two services with the same name or number. */
  constructor(
    private readonly source: Described,
    version: string,
    { services, isAlone = false }: AddedServices,
  ) {
    const core = coreService((turn) => this.allBytes(turn));
    const own = [{ service: core, number: CORE }];
    if (!isAlone) own.push({ service: genericService(version), number: GENERIC });
    this.isAlone = isAlone;
    this.fixed = [
      ...own,
      ...services.map((service, index) => ({ service, number: service.id ?? SIMULATION + 1 + index })),
    ];
    const names = this.fixed.map(({ service }) => service.name).join(' ');
    const taken = new Identifiers(`${RESERVED_TYPES} ${RESERVED_SERVICES} ${names}`);
    const { name } = source.info;
    this.simulationName = taken.take(taken.has(name) ? `${name} simulation` : name);
    // The operator learns at the start what is wrong with the services.
    this.latest = { version: NONE, table: new ServiceTable(this.fixed) };
  }

  table(): ServiceTable {
    return this.latest.table;
  }

  async current(turn: () => Promise<void>): Promise<ServiceTable> {
    const { catalog } = this.source;
    const { version } = catalog;
    if (this.latest.version === version) return this.latest.table;
    if (this.isAlone) return this.keep(version, this.fixed);
    const service = await simulationService(this.simulationName, catalog, turn);
    return this.keep(version, [...this.fixed, { service, number: SIMULATION }]);
  }

  private keep(version: number, services: readonly NumberedService[]): ServiceTable {
    const table = new ServiceTable(services);
    this.latest = { version, table };
    return table;
  }

  private async allBytes(turn: () => Promise<void>): Promise<Uint8Array> {
    const { latest } = this;
    latest.bytes ??= await servicesBytes(latest.table, turn);
    return latest.bytes;
  }
}
