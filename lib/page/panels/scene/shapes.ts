// Shapes of poses as objects of three.js, each with what its pose needs: a mesh, or a model that is loaded.
import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  Mesh,
  MeshLambertMaterial,
  type Object3D,
  type ShaderMaterial,
  SphereGeometry,
  Texture,
} from 'three';
import type { Shape } from '../poses/poses.js';

type Solid = Exclude<Shape, { readonly kind: 'model' }>;

const ROUND = 32;
/** Of an arrow's head: its length in the arrow's, its radius in the shaft's. */
const HEAD = { length: 0.25, radius: 2.2 } as const;

/** A shape in the axes of its pose. */
export function solidOf(shape: Solid): Object3D {
  const material = materialOf(shape.color);
  if (shape.kind === 'arrow') return arrowOf(shape, material);
  return new Mesh(geometryOf(shape), material);
}

function geometryOf(shape: Exclude<Solid, { readonly kind: 'arrow' }>): BufferGeometry {
  if (shape.kind === 'box') return new BoxGeometry(...shape.size);
  if (shape.kind === 'sphere') return new SphereGeometry(shape.radius, ROUND, ROUND / 2);
  // Cylinders of three.js lie along y.
  return new CylinderGeometry(shape.radius, shape.radius, shape.length, ROUND).rotateX(Math.PI / 2);
}

function arrowOf({ length, radius }: Extract<Solid, { readonly kind: 'arrow' }>, material: MeshLambertMaterial): Group {
  const head = HEAD.length * length;
  const shaft = new CylinderGeometry(radius, radius, length - head, ROUND).rotateZ(-Math.PI / 2);
  const tip = new ConeGeometry(HEAD.radius * radius, head, ROUND).rotateZ(-Math.PI / 2);
  const arrow = new Group();
  arrow.add(
    new Mesh(shaft.translate((length - head) / 2, 0, 0), material),
    new Mesh(tip.translate(length - head / 2, 0, 0), material),
  );
  return arrow;
}

/** @param color #rrggbb, or with its opacity #rrggbbaa. */
function materialOf(color: string): MeshLambertMaterial {
  const opacity = color.length > 7 ? Number.parseInt(color.slice(7), 16) / 255 : 1;
  return new MeshLambertMaterial({ color: new Color(color.slice(0, 7)), opacity, transparent: opacity < 1 });
}

/** Frees what an object holds on the graphics card. */
export function dispose(object: Object3D): void {
  object.traverse((part) => {
    const { geometry, material } = part as Partial<Mesh>;
    geometry?.dispose();
    for (const each of material === undefined ? [] : [material].flat()) {
      const { uniforms = {} } = each as Partial<ShaderMaterial>;
      const held = [...Object.values(each), ...Object.values(uniforms).map(({ value }) => value)];
      for (const value of held) if (value instanceof Texture) value.dispose();
      each.dispose();
    }
  });
}
