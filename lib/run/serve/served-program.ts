// Passes what a server offers to its own program on to the object that carries it out.
import type { Value } from '../../model/state/read.js';
import type { InProcess } from './in-process.js';

/** `program` carries out every call. */
export abstract class ServedProgram implements InProcess {
  protected abstract readonly program: InProcess;

  get(path: string, units?: string): Promise<Value | undefined> {
    return this.program.get(path, units);
  }

  set(path: string, value: Value, units?: string): Promise<void> {
    return this.program.set(path, value, units);
  }

  call(name: string, ...values: readonly Value[]): Promise<Value | undefined> {
    return this.program.call(name, ...values);
  }

  control(control: Parameters<InProcess['control']>[0]): Promise<void> {
    return this.program.control(control);
  }
}
