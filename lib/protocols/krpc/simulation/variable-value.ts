// The value of a variable in each frame, for as long as the variable is there and has the same type.
import type { Frame, Shown } from '../../../model/frame/reader.js';
import { describeType } from '../../../model/state/type.js';
import { locate, type Variable } from '../../../model/state/variable.js';
import { Reference } from '../../../serving/session/reference.js';
import { valuesIn } from '../../../serving/session/value-count.js';
import type { Source } from '../../../source/source.js';
import { type FrameValue, invalidOperation } from '../service/procedure.js';
import type { KrpcValue } from '../values/type.js';
import { holdsStructures, readRemote } from './remote-values.js';

export class VariableValue implements FrameValue {
  readonly shown: readonly Shown[];
  readonly valueCount: number;
  private readonly reference: Reference;
  private readonly typeText: string;
  private variable: Variable;

  /** Throws an UnknownVariableError or a WriteOnlyError. */
  constructor(source: Source, path: string) {
    this.reference = new Reference(source, path);
    this.variable = this.reference.current as Variable;
    const { type } = this.variable;
    this.typeText = describeType(type);
    const isObjects = holdsStructures(type);
    this.valueCount = isObjects ? 1 : valuesIn(type);
    // For a list of objects only the length is read.
    this.shown = isObjects ? [{ isShownIn: (frame: Frame) => frame.shows(this.current, 'head') }] : [this.reference];
  }

  read(frame: Frame): KrpcValue {
    const { current } = this;
    const offset = locate(current, frame.memory);
    if (offset >= 0) return readRemote(current.type, frame.memory, offset, current.path);
    throw invalidOperation(`${current.path} is not there: a pointer on the way is null or an index too large`);
  }

  private get current(): Variable {
    const { current, alias } = this.reference;
    if (!current) throw invalidOperation(`${alias} is not there any longer`);
    if (current !== this.variable) {
      if (describeType(current.type) !== this.typeText) throw invalidOperation(`${alias} has another type now`);
      this.variable = current;
    }
    return current;
  }
}
