// A simulation as a kRPC service: structures are classes, objects are instances, typed functions are procedures.
import type { Catalog, SimObject } from '../../../model/state/catalog.js';
import { isOverlayObject } from '../../../model/state/reserved-names.js';
import {
  describeType,
  type EnumerationType,
  type Member,
  type StructType,
  type Type,
} from '../../../model/state/type.js';
import type { Procedure, Service, ServiceClass, ServiceEnumeration } from '../service/procedure.js';
import { classOf, enumerationOf, type KrpcType } from '../values/type.js';
import { functionProcedure } from './function-procedure.js';
import { Identifiers, memberIdentifiers, serviceIdentifiers } from './identifiers.js';
import { allOf, findOf, memberProcedures, objectProperty, pathProperty } from './member-procedures.js';
import { type NamedTypes, remoteOf } from './remote.js';
import { RESERVED_TYPES } from './reserved-words.js';

/** Most procedures of the service; what is left out is reached through the service VarServer. */
const MOST_PROCEDURES = 10_000;
/** So many objects are looked at between two turns; each may have many members. */
const OBJECTS_PER_TURN = 16;
/** What classes have besides their members. */
const OWN_MEMBERS = 'VariablePath All Find';

/** A class: all structures with the same name and members, or all objects with the same components. */
interface Shape {
  readonly name: string;
  /** Names of objects; empty for a structure. */
  readonly objects: string[];
}

/** Objects that a front-end has laid over the simulation are not part of it. */
const isOwn = ({ name }: SimObject): boolean => !isOverlayObject(name);

export async function simulationService(
  simulation: string,
  catalog: Catalog,
  turn: () => Promise<void>,
): Promise<Service> {
  const builder = new ServiceBuilder(simulation);
  for (const callable of catalog.functions.values()) builder.addFunction(callable);
  let count = 0;
  for (const object of catalog.eachObject()) {
    if (count++ % OBJECTS_PER_TURN === 0) await turn();
    if (isOwn(object)) builder.addObject(object);
  }
  return builder.service();
}

class ServiceBuilder implements NamedTypes {
  private readonly procedures: Procedure[] = [];
  private readonly classes: ServiceClass[] = [];
  private readonly enumerations: ServiceEnumeration[] = [];
  private readonly members = serviceIdentifiers();
  private readonly typeNames: Identifiers;
  private readonly shapes = new Map<string, Shape>();
  private readonly enumerationNames = new Map<string, string>();
  private readonly keys = new WeakMap<Type, string>();

  constructor(private readonly name: string) {
    // A class has another name than what is around it, in C++ and Java the service, and than its members.
    this.typeNames = new Identifiers(`${RESERVED_TYPES} ${OWN_MEMBERS} ${name} ${name}Extensions`);
  }

  service(): Service {
    const about = `The simulation ${this.name}: its objects, and the functions that clients may call.`;
    const { name, procedures, classes, enumerations } = this;
    return { name, about, procedures, classes, enumerations, exceptions: [] };
  }

  /** A function without a signature cannot be called with typed arguments, so it is left out. */
  addFunction(callable: Parameters<typeof functionProcedure>[1]): void {
    if (!callable.takes || this.isFull) return;
    const named = { enumeration: (type: EnumerationType) => this.enumeration(type) };
    this.procedures.push(functionProcedure(this.members.take(callable.name), callable, named));
  }

  addObject({ name, type }: SimObject): void {
    if (this.isFull) return;
    // The structures of the components get their names before the object's class.
    for (const member of type.members) remoteOf(member.type, this);
    const shape = this.shapeOf(type, name);
    shape.objects.push(name);
    this.procedures.push(objectProperty(this.members.take(name), name, classOf(this.name, shape.name)));
  }

  enumeration(type: EnumerationType): KrpcType {
    const key = `${type.name} ${JSON.stringify(type.labels)}`;
    const known = this.enumerationNames.get(key);
    if (known !== undefined) return enumerationOf(this.name, known);
    const name = this.typeNames.take(type.name);
    this.enumerationNames.set(key, name);
    const labels = new Identifiers('');
    const values = Object.entries(type.labels).map(([label, value]) => ({
      name: labels.take(label),
      about: label,
      value,
    }));
    this.enumerations.push({ name, about: `The enumeration ${type.name}.`, values });
    return enumerationOf(this.name, name);
  }

  structure(type: StructType): KrpcType {
    return classOf(this.name, this.shapeOf(type).name);
  }

  private get isFull(): boolean {
    return this.procedures.length >= MOST_PROCEDURES;
  }

  /** @param object the name of an object, whose class is that of all objects with such components. */
  private shapeOf(type: StructType, object?: string): Shape {
    const key = `${object === undefined ? type.name : 'object'} ${this.keyOf(type)}`;
    const known = this.shapes.get(key);
    if (known) return known;
    const wanted = object ?? type.name;
    const name = this.typeNames.take(object !== undefined && this.typeNames.has(wanted) ? `${wanted}Object` : wanted);
    const shape: Shape = { name, objects: [] };
    this.shapes.set(key, shape);
    const what = object === undefined ? `The structure ${type.name}.` : `An object like ${object}.`;
    this.classes.push({ name, about: what });
    this.addMembers(shape, type, object !== undefined);
    return shape;
  }

  private addMembers(shape: Shape, type: StructType, isObject: boolean): void {
    const owner = classOf(this.name, shape.name);
    const names = memberIdentifiers(shape.name, OWN_MEMBERS);
    this.procedures.push(pathProperty(shape.name, owner));
    if (isObject)
      this.procedures.push(allOf(shape.name, owner, shape.objects), findOf(shape.name, owner, shape.objects));
    for (const member of type.members) {
      if (this.isFull) return;
      const facts = { member, owner, remote: remoteOf(member.type, this), about: aboutOf(member) };
      this.procedures.push(...memberProcedures(shape.name, names.take(member.name), facts));
    }
  }

  /** Equal for structures with the same members. */
  private keyOf(type: StructType): string {
    const known = this.keys.get(type);
    if (known !== undefined) return known;
    const key = type.members
      .map(({ name, type: own, access, units }) => `${name}:${this.memberKey(own)}:${access}:${units}`)
      .join(',');
    this.keys.set(type, key);
    return key;
  }

  private memberKey(type: Type): string {
    if (type.kind === 'struct') return `${type.name}{${this.keyOf(type)}}`;
    if (type.kind === 'array') return `${this.memberKey(type.element)}[${type.length}]`;
    if (type.kind === 'sequence') return `${type.container}<${this.memberKey(type.element)}>`;
    if (type.kind === 'pointer') return `${this.memberKey(type.target)}*`;
    return describeType(type);
  }
}

/** What it is, with its units. */
function aboutOf({ name, about, units }: Member): string {
  const what = about === '' ? name : `${name}: ${about}`;
  return units === '--' || units === '1' ? what : `${what} [${units}]`;
}
