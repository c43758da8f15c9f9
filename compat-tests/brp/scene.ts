// One entity of the fleet as a client of one release names it, and how it calls a method there.
import type { Events, Inspector, Json } from './inspector.js';
import { isBefore, type Release } from './releases.js';

export const POSITION = 'server::Position';
export const BEACON = 'fleet::Beacon';
export const RUDDER = 'fleet::Rudder';
export const DESCRIPTION = 'server::Description';

const WORD = 2 ** 32;
const MISSING_INDEX = 999_999;

// biome-ignore lint/suspicious/noExplicitAny: whatever the server says
type Answer = any;

/** How the answers to one method look: its name tells, or what the operator prefers. */
export interface Shapes {
  /** Whether entities are numbered as before 0.17. */
  readonly isOld: boolean;
  readonly generation: Release;
}

export function shapesOf(method: string, release: Release): Shapes {
  if (method.startsWith('bevy/')) return { isOld: true, generation: isBefore(release, '0.17') ? release : '0.16' };
  const isNew = /^(?:world|registry|schedule)\./.test(method);
  const generation = isNew && isBefore(release, '0.17') ? '0.19' : release;
  return { isOld: isBefore(generation, '0.17'), generation };
}

/** The type paths of Bevy's own components. */
const pathsOf = (generation: Release) =>
  generation === '0.15'
    ? {
        name: 'bevy_core::name::Name',
        parent: 'bevy_hierarchy::components::parent::Parent',
        children: 'bevy_hierarchy::components::children::Children',
      }
    : {
        name: 'bevy_ecs::name::Name',
        parent: 'bevy_ecs::hierarchy::ChildOf',
        children: 'bevy_ecs::hierarchy::Children',
      };

export class Scene {
  readonly paths;

  private constructor(
    readonly method: string,
    readonly shapes: Shapes,
    readonly inspector: Inspector,
    /** It has a Name, a Position and a Beacon; its parent is `armada`. */
    readonly entity: number,
    /** The entity of the ship `nina`. */
    readonly nina: number,
    /** The entity above both. */
    readonly parent: number,
  ) {
    this.paths = pathsOf(shapes.generation);
  }

  static async make(method: string, release: Release, inspector: Inspector): Promise<Scene> {
    const shapes = shapesOf(method, release);
    const { name, parent } = pathsOf('0.19');
    const rows: { entity: number; components: Record<string, unknown> }[] = await inspector.call('world.query', {
      data: { components: [name] },
    });
    const find = (wanted: string): number =>
      rows.find(({ components }) => components[name] === wanted)?.entity as number;
    const components = { [name]: 'thing', [parent]: find('armada'), [POSITION]: { x: 1, y: 2, z: 3 }, [BEACON]: {} };
    const { entity } = await inspector.call('world.spawn_entity', { components });
    const numbered = (given: number): number => (shapes.isOld ? 2 * WORD - 1 - given : given);
    const [own, nina, armada] = [entity, find('nina'), find('armada')].map(numbered) as [number, number, number];
    return new Scene(method, shapes, inspector, own, nina, armada);
  }

  /** An entity that is not there, and its text. */
  get missing(): { readonly entity: number; readonly text: string } {
    const { isOld } = this.shapes;
    return {
      entity: isOld ? WORD + MISSING_INDEX : WORD - 1 - MISSING_INDEX,
      text: `${MISSING_INDEX}v${isOld ? 1 : 0}`,
    };
  }

  /** The text of the scene's entity. */
  get text(): string {
    const { isOld } = this.shapes;
    return isOld ? `${this.entity - WORD}v1` : `${WORD - 1 - this.entity}v0`;
  }

  /** Whether a number is an entity in the numbering of the method. */
  isNumber(entity: number): boolean {
    const high = Math.floor(entity / WORD);
    return Number.isSafeInteger(entity) && high === (this.shapes.isOld ? 1 : 0) && entity % WORD > 0;
  }

  /** What another method says, of the latest release. */
  async now(method: string, params: { readonly [name: string]: Json }): Promise<Answer> {
    return this.inspector.call(method, params);
  }

  /** The components of an entity by their type paths, as a strict reader of the latest release sees them. */
  see(components: readonly string[], entity = this.entity): Promise<Answer> {
    return this.now('world.get_components', { entity, components, strict: true });
  }

  watch(params: Json): Promise<Events> {
    return this.inspector.watch(this.method, params);
  }

  async close(): Promise<void> {
    await this.inspector.call('world.despawn_entity', { entity: this.entity }).catch((error: Error) => {
      if (!error.message.startsWith('-23401')) throw error;
    });
  }
}
