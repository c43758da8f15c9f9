// A body as the ground: a sphere whose mesh is finest below the camera, so that it is right in kilometres and in metres.
import {
  BufferGeometry,
  type Color,
  Float32BufferAttribute,
  LinearFilter,
  Matrix3,
  Matrix4,
  Mesh,
  Quaternion,
  ShaderMaterial,
  type Texture,
  Vector3,
} from 'three';
import { onGround } from '../poses/body-fixed.js';
import { difference, lengthOf, type Place, scaled, sum, type Vector } from '../poses/frames.js';
import type { Plane } from './lines.js';

/** Angles of the mesh's rings from the point below the camera, in rad: they grow by a factor, and then by a step. */
const RINGS = { first: 1e-7, factor: 1.25, step: 0.05 } as const;
const SPOKES = 96;
const UP = new Vector3(0, 0, 1);

/** Up to this altitude, in radii, the ground looks flat. */
const LOW = 0.01;

/** A unit sphere with its origin at its top; normals go from its middle. */
function sphere(): BufferGeometry {
  const angles = [0];
  for (let angle: number = RINGS.first; angle < Math.PI; angle += Math.min(angle * (RINGS.factor - 1), RINGS.step))
    angles.push(angle);
  angles.push(Math.PI);
  const [positions, normals, index]: [number[], number[], number[]] = [[], [], []];
  for (const angle of angles) {
    // By halves, as 1 - cos of a small angle has no digits.
    const down = -2 * Math.sin(angle / 2) ** 2;
    for (let spoke = 0; spoke <= SPOKES; spoke++) {
      const around = (2 * Math.PI * spoke) / SPOKES;
      const [x, y] = [Math.sin(angle) * Math.cos(around), Math.sin(angle) * Math.sin(around)];
      positions.push(x, y, down);
      normals.push(x, y, 1 + down);
    }
  }
  for (let ring = 0; ring + 1 < angles.length; ring++)
    for (let spoke = 0; spoke < SPOKES; spoke++) {
      const here = ring * (SPOKES + 1) + spoke;
      const out = here + SPOKES + 1;
      index.push(here, out, here + 1, here + 1, out, out + 1);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('normal', new Float32BufferAttribute(normals, 3));
  return geometry.setIndex(index);
}

const VERTEX = `
#include <common>
#include <logdepthbuf_pars_vertex>
uniform mat3 toBody;
varying vec3 direction;
varying vec3 facing;
void main() {
  direction = toBody * normal;
  facing = normalMatrix * normal;
  gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  #include <logdepthbuf_vertex>
}`;

/** Lines of latitude and longitude, each 15 degrees, one pixel wide. */
const FRAGMENT = `
#include <common>
#include <logdepthbuf_pars_fragment>
uniform vec3 fill;
uniform vec3 line;
uniform float lines;
uniform float hasPicture;
uniform sampler2D picture;
varying vec3 direction;
varying vec3 facing;
void main() {
  #include <logdepthbuf_fragment>
  vec3 d = normalize(direction);
  vec2 place = vec2(atan(d.y, d.x), asin(clamp(d.z, -1.0, 1.0)));
  vec2 other = vec2(mod(place.x + 2.0 * PI, 2.0 * PI), place.y);
  vec2 width = min(fwidth(place), fwidth(other)) * 12.0 / PI;
  vec2 away = abs(fract(place * 12.0 / PI - 0.5) - 0.5) / max(width, vec2(1e-9));
  vec2 near = (1.0 - clamp(away - 0.5, 0.0, 1.0)) * (1.0 - smoothstep(0.1, 0.4, width));
  vec3 colour = mix(fill, texture2D(picture, vec2(place.x / (2.0 * PI) + 0.5, place.y / PI + 0.5)).rgb, hasPicture);
  colour = mix(colour, line, lines * 0.7 * max(near.x, near.y));
  gl_FragColor = vec4(colour * (0.55 + 0.45 * max(normalize(facing).z, 0.0)), 1.0);
  #include <colorspace_fragment>
}`;

/** What a ground looks like. */
export interface GroundLook {
  readonly fill: Color;
  readonly line: Color;
}

export class Ground {
  readonly mesh: Mesh<BufferGeometry, ShaderMaterial>;

  constructor(
    private readonly radius: number,
    { fill, line }: GroundLook,
  ) {
    const uniforms = {
      toBody: { value: new Matrix3() },
      fill: { value: fill },
      line: { value: line },
      lines: { value: 1 },
      hasPicture: { value: 0 },
      picture: { value: null as Texture | null },
    };
    const material = new ShaderMaterial({ uniforms, vertexShader: VERTEX, fragmentShader: FRAGMENT });
    this.mesh = new Mesh(sphere(), material);
    this.mesh.scale.setScalar(radius);
    this.mesh.frustumCulled = false;
    // Below the grid, which is drawn without looking at depths.
    this.mesh.renderOrder = -2;
  }

  set hasLines(isOn: boolean) {
    this.uniform('lines', Number(isOn));
  }

  take(picture: Texture): void {
    // Without smaller copies of it there is no seam where longitude jumps.
    Object.assign(picture, { minFilter: LinearFilter, generateMipmaps: false });
    this.uniform('picture', picture);
    this.uniform('hasPicture', 1);
  }

  /** @param middle the point of the world that is drawn at the origin; `eye` is the camera's place in the world. */
  put({ position, attitude: [w, x, y, z] }: Place, middle: Vector, eye: Vector): void {
    const away = difference(eye, position);
    const length = lengthOf(away);
    const up: Vector = length > 0 ? scaled(away, 1 / length) : [0, 0, 1];
    this.mesh.position.set(...sum(difference(position, middle), scaled(up, this.radius)));
    this.mesh.quaternion.setFromUnitVectors(UP, new Vector3(...up));
    const turn = new Quaternion(-x, -y, -z, w).multiply(this.mesh.quaternion);
    this.uniform('toBody', new Matrix3().setFromMatrix4(new Matrix4().makeRotationFromQuaternion(turn)));
  }

  /** The plane that touches the ground below the middle, x to the east and y to the north; undefined from far above. */
  planeBelow(place: Place, middle: Vector): Plane | undefined {
    const { longitude, latitude, altitude } = onGround(place, this.radius, middle);
    if (!(Math.abs(altitude) < LOW * this.radius)) return undefined;
    const [sinLon, cosLon] = [Math.sin(longitude), Math.cos(longitude)];
    const [sinLat, cosLat] = [Math.sin(latitude), Math.cos(latitude)];
    const east = new Vector3(-sinLon, cosLon, 0);
    const up = new Vector3(cosLat * cosLon, cosLat * sinLon, sinLat);
    const north = new Vector3().crossVectors(up, east);
    const [w, x, y, z] = place.attitude;
    const attitude = new Quaternion().setFromRotationMatrix(new Matrix4().makeBasis(east, north, up));
    return {
      attitude: attitude.premultiply(new Quaternion(x, y, z, w)),
      middle: [this.radius * cosLat * longitude, this.radius * latitude, altitude],
    };
  }

  private uniform(name: string, value: unknown): void {
    const known = this.mesh.material.uniforms[name];
    if (known) known.value = value;
  }
}
