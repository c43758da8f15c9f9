// The services of a server, and their procedures by name and by number.
import type { NamedCall } from '../values/type.js';
import type { Procedure, Service } from './procedure.js';

/** A service with its number, and its procedures in the order of their numbers. */
export interface NumberedService {
  readonly service: Service;
  readonly number: number;
}

export interface FoundProcedure {
  readonly service: string;
  readonly procedure: Procedure;
}

/** The services as objects come and go. */
export interface LatestServices {
  /** As they were made last. */
  table(): ServiceTable;
  /** Those of the current catalog, which may be large: `turn` is awaited every now and then. */
  current(turn: () => Promise<void>): Promise<ServiceTable>;
}

/** A call names no procedure. */
export class UnknownProcedureError extends Error {
  override readonly name = 'UnknownProcedureError';
}

export class ServiceTable {
  private readonly byName = new Map<string, NumberedService>();
  private readonly byNumber = new Map<number, NumberedService>();
  private readonly procedures = new Map<string, ReadonlyMap<string, Procedure>>();

  /** Throws an Error for two services with the same name or number. */
  constructor(readonly services: readonly NumberedService[]) {
    for (const numbered of services) {
      const { service, number } = numbered;
      if (this.byName.has(service.name)) throw new Error(`there are two kRPC services called ${service.name}`);
      if (this.byNumber.has(number)) throw new Error(`there are two kRPC services with the number ${number}`);
      this.byName.set(service.name, numbered);
      this.byNumber.set(number, numbered);
      this.procedures.set(service.name, new Map(service.procedures.map((one) => [one.name, one])));
    }
  }

  /** The procedure that a call names; numbers go before names. Throws an UnknownProcedureError. */
  find(call: NamedCall): FoundProcedure {
    const { service } = this.serviceOf(call);
    const { procedure: name, procedureId } = call;
    const procedure =
      procedureId > 0 ? service.procedures[procedureId - 1] : this.procedures.get(service.name)?.get(name);
    if (procedure) return { service: service.name, procedure };
    const what = procedureId > 0 ? `Procedure with id ${procedureId}` : `Procedure "${shown(name)}"`;
    throw new UnknownProcedureError(`${what} not found, in service "${service.name}"`);
  }

  private serviceOf({ service: name, serviceId }: NamedCall): NumberedService {
    const found = serviceId > 0 ? this.byNumber.get(serviceId) : this.byName.get(name);
    if (found) return found;
    const what = serviceId > 0 ? `Service with id ${serviceId}` : `Service "${shown(name)}"`;
    throw new UnknownProcedureError(`${what} not found`);
  }
}

const LONGEST_SHOWN = 100;
const shown = (name: string): string => name.slice(0, LONGEST_SHOWN);
