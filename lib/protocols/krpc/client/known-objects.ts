// The objects that one client has been given, by the numbers under which it knows them.
import type { Account } from '../../../serving/scheduling/account.js';
import type { ObjectNumbers } from '../values/encode.js';
import type { KrpcType, RemoteObject } from '../values/type.js';

/** Bytes that an object takes besides its key. */
const OBJECT_BYTES = 160;

export class KnownObjects implements ObjectNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly objects: { readonly type: KrpcType; readonly object: RemoteObject }[] = [];

  constructor(private readonly account: Account) {}

  numberOf(type: KrpcType, object: RemoteObject): number {
    const key = `${type.service}.${type.name} ${object.key}`;
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    this.account.take('keptBytes', OBJECT_BYTES + 2 * key.length + (object.keptBytes ?? 0));
    this.objects.push({ type, object });
    this.numbers.set(key, this.objects.length);
    return this.objects.length;
  }

  objectOf({ service, name }: KrpcType, number: bigint): RemoteObject | undefined {
    const found = number <= this.objects.length ? this.objects[Number(number) - 1] : undefined;
    return found?.type.name === name && found?.type.service === service ? found?.object : undefined;
  }
}
