// What simulation code gets for a component: a view, or for a plain value a cell.
import type { Arena } from './arena.js';
import type { Member } from './type.js';
import { defineCell, isValue, viewOf } from './view.js';

export function componentView(arena: Arena, member: Member): object {
  const { type, offsetBytes } = member;
  if (!isValue(type)) return viewOf(arena, type, offsetBytes);
  const cell = {};
  defineCell(cell, 'value', arena, member);
  arena.register(cell, member);
  return Object.seal(cell);
}
