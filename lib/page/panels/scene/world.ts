// The picture of a 3D panel, by three.js, in a file of its own: it is loaded when the first such panel opens.
// Everything is drawn around the pose that is followed, as a graphics card's numbers have seven digits.
import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  Group,
  LineBasicMaterial,
  LineSegments,
  MathUtils,
  type Object3D,
  PerspectiveCamera,
  Scene,
  Sphere,
  TextureLoader,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Look } from '../plot/look.js';
import { difference, lengthOf, type Place, sum, type Vector } from '../poses/frames.js';
import type { Pose } from '../poses/poses.js';
import { Ground } from './ground.js';
import { Labels } from './labels.js';
import { axesGeometry, Dots, flatPlane, Grid, type Plane, TrailLine } from './lines.js';
import { dispose, solidOf } from './shapes.js';
import { DISTANCES, radiusOf, USUAL_VIEW, usualDistance, type View } from './view.js';

export interface WorldPlan {
  readonly host: HTMLElement;
  readonly poses: readonly Pose[];
  readonly look: Look;
  /** Makes the address of a file of the server. */
  linkTo(path: string): string;
  /** The camera was moved by hand. */
  onView(view: View): void;
  /** Something has come that changes the picture. */
  onNews(): void;
  onFault(sentence: string): void;
}

/** What is drawn. */
export interface Picture {
  readonly places: readonly (Place | undefined)[];
  /** The pose in the middle. */
  readonly followed: number;
  /** x, y and z of the trail's points. */
  readonly trail: readonly (readonly (number | null)[])[];
  readonly hasAxes: boolean;
  readonly hasGrid: boolean;
  readonly hasNames: boolean;
  /** Undefined for the usual one. */
  readonly view: View | undefined;
}

const FIELD_OF_VIEW = 45;
const FARTHEST = 10 * DISTANCES.most;
const MOST_PIXEL_RATIO = 2;
/** Of axes, in the radius of the shape, and at least in the distance of the camera. */
const AXES = { radii: 1.6, leastShare: 0.05 } as const;

/** What stands for one pose. */
interface Drawn {
  readonly pose: Pose;
  readonly solid: Object3D | undefined;
  readonly axes: LineSegments;
  readonly ground: Ground | undefined;
  /** Of a model, once it is there. */
  modelRadius: number;
}

export class World {
  private readonly renderer: WebGLRenderer;
  private readonly scene = new Scene();
  private readonly camera = new PerspectiveCamera(FIELD_OF_VIEW, 1, 1, FARTHEST);
  private readonly controls: OrbitControls;
  private readonly drawn: readonly Drawn[];
  private readonly grid: Grid;
  private readonly dots: Dots;
  private readonly trail: TrailLine;
  private readonly labels: Labels;
  private middle: Vector = [0, 0, 0];
  private isOver = false;

  /** Throws one sentence where there is no WebGL. */
  constructor(private readonly plan: WorldPlan) {
    const { host, look, poses } = plan;
    this.renderer = rendererIn(host);
    this.scene.background = new Color(look.surface);
    this.camera.up.set(0, 0, 1);
    const lamp = new DirectionalLight(0xffffff, 1.8);
    lamp.position.set(-1, 1.5, 2);
    this.camera.add(lamp);
    const axes = axesGeometry();
    this.drawn = poses.map((pose) => this.drawnOf(pose, axes));
    this.grid = new Grid(new Color(look.surface).lerp(new Color(look.ink), 0.8));
    this.dots = new Dots(poses.length, new Color(look.ink));
    this.trail = new TrailLine(new Color(look.accent));
    this.scene.add(this.camera, new AmbientLight(0xffffff, 1.4), this.grid.lines, this.dots.points, this.trail.lines);
    this.labels = new Labels(host);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    Object.assign(this.controls, { enablePan: false, minDistance: DISTANCES.least, maxDistance: DISTANCES.most });
    this.controls.addEventListener('change', this.handled);
    this.renderer.domElement.addEventListener('webglcontextrestored', plan.onNews);
  }

  /** How the camera stands now. */
  get view(): View {
    const { x, y, z } = this.camera.position;
    const distance = this.camera.position.length();
    return {
      azimuth: MathUtils.radToDeg(Math.atan2(y, x)),
      elevation: MathUtils.radToDeg(Math.asin(z / distance)),
      distance,
    };
  }

  resize(width: number, height: number): void {
    if (width < 1 || height < 1) return;
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, MOST_PIXEL_RATIO));
    this.renderer.setSize(width, height);
    this.camera.aspect = width / height;
  }

  /** Answers how far apart the lines of the grid are, in metres; undefined where there is none. */
  draw(picture: Picture): number | undefined {
    const { places, followed, hasAxes, hasGrid, hasNames } = picture;
    // A pose that has gone leaves the picture where it was.
    this.middle = places[followed]?.position ?? this.middle;
    this.aim(picture);
    const eye = sum(this.middle, this.camera.position.toArray());
    for (const [k, drawn] of this.drawn.entries()) this.put(drawn, places[k], { eye, hasAxes, hasGrid });
    const plane = this.plane(places);
    this.grid.lines.visible = hasGrid && plane !== undefined;
    const step = plane && this.grid.put(plane, this.camera.position.length());
    this.dots.put(
      places.filter((_, k) => !this.drawn[k]?.ground),
      this.middle,
    );
    this.trail.put(picture.trail, this.middle);
    this.renderer.render(this.scene, this.camera);
    const { clientWidth: width, clientHeight: height } = this.plan.host;
    this.labels.put(hasNames ? this.names(places) : [], this.camera, { width, height });
    return hasGrid ? step : undefined;
  }

  close(): void {
    this.isOver = true;
    this.controls.dispose();
    this.labels.close();
    dispose(this.scene);
    this.renderer.dispose();
    // A browser has few contexts, and gives them back late by itself.
    this.renderer.forceContextLoss();
    this.renderer.domElement.remove();
  }

  private readonly handled = (): void => this.plan.onView(this.view);

  /** Where the grid lies: on a body that is close below, and in a world without bodies where z is 0. */
  private plane(places: Picture['places']): Plane | undefined {
    const grounds = this.drawn.flatMap(({ ground }, k) => (ground && places[k] ? [{ ground, place: places[k] }] : []));
    if (grounds.length === 0) return flatPlane(this.middle);
    return grounds.map(({ ground, place }) => ground.planeBelow(place, this.middle)).find((plane) => plane);
  }

  /** Puts the camera around the middle. */
  private aim({ places, followed, view }: Picture): void {
    const drawn = this.drawn[followed];
    const spread = Math.max(
      0,
      ...places.flatMap((place) => (place ? [lengthOf(difference(place.position, this.middle))] : [])),
    );
    const usual = (): View => ({
      ...USUAL_VIEW,
      distance: drawn ? usualDistance(drawn.pose, drawn.modelRadius, spread) : 1,
    });
    const { azimuth, elevation, distance } = view ?? usual();
    const [around, up] = [MathUtils.degToRad(azimuth), MathUtils.degToRad(elevation)];
    const flat = distance * Math.cos(up);
    this.camera.position.set(flat * Math.cos(around), flat * Math.sin(around), distance * Math.sin(up));
    this.camera.lookAt(0, 0, 0);
    this.camera.near = distance / 1000;
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  private put(
    { pose, solid, axes, ground, modelRadius }: Drawn,
    place: Place | undefined,
    { eye, hasAxes, hasGrid }: { readonly eye: Vector; readonly hasAxes: boolean; readonly hasGrid: boolean },
  ): void {
    for (const part of [solid, axes, ground?.mesh]) if (part) part.visible = place !== undefined;
    if (!place) return;
    const at = difference(place.position, this.middle);
    const [w, x, y, z] = place.attitude;
    for (const part of [solid, axes]) {
      part?.position.set(...at);
      part?.quaternion.set(x, y, z, w);
    }
    axes.visible = hasAxes;
    const radius = Math.max(radiusOf(pose.shape), modelRadius, ground ? (pose.body?.radius ?? 0) : 0);
    axes.scale.setScalar(Math.max(AXES.radii * radius, AXES.leastShare * lengthOf(difference(place.position, eye))));
    if (!ground) return;
    ground.hasLines = hasGrid;
    ground.put(place, this.middle, eye);
  }

  private drawnOf(pose: Pose, axesShape: ReturnType<typeof axesGeometry>): Drawn {
    const { shape, body } = pose;
    const axes = new LineSegments(axesShape, new LineBasicMaterial({ vertexColors: true }));
    const solid = shape && (shape.kind === 'model' ? new Group() : solidOf(shape));
    const drawn: Drawn = { pose, solid, axes, ground: body && this.groundOf(pose, body), modelRadius: 0 };
    this.scene.add(...[solid, axes, drawn.ground?.mesh].filter((part) => part !== undefined));
    if (shape?.kind === 'model') void this.load(drawn, shape);
    return drawn;
  }

  private groundOf({ name }: Pose, { radius, texture }: NonNullable<Pose['body']>): Ground {
    const { surface, accent, ink } = this.plan.look;
    const fill = new Color(surface).lerp(new Color(accent), 0.25);
    const ground = new Ground(radius, { fill, line: fill.clone().lerp(new Color(ink), 0.6) });
    if (texture !== undefined) {
      const address = this.plan.linkTo(`scene/${texture}`);
      const failed = (): void => this.plan.onFault(`the picture ${texture} of ${name} cannot be shown`);
      new TextureLoader().load(
        address,
        (picture) => (this.isOver ? picture.dispose() : this.arrived(() => ground.take(picture))),
        undefined,
        failed,
      );
    }
    return ground;
  }

  private async load(drawn: Drawn, { file, scale }: Extract<Pose['shape'], { readonly kind: 'model' }>): Promise<void> {
    try {
      const { modelAt } = await import('./model.js');
      const model = await modelAt(`scene/${file}`, this.plan.linkTo);
      if (this.isOver) return dispose(model);
      model.scale.setScalar(scale);
      this.arrived(() => {
        drawn.solid?.add(model);
        drawn.modelRadius = new Box3().setFromObject(model).getBoundingSphere(new Sphere()).radius;
      });
    } catch {
      // The reason would have the address, and with it the token.
      if (!this.isOver) this.plan.onFault(`the model ${file} of ${drawn.pose.name} is not there, or is no glTF file`);
    }
  }

  private arrived(take: () => void): void {
    take();
    this.plan.onNews();
  }

  private names(places: readonly (Place | undefined)[]): { name: string; at: Vector3 }[] {
    return places.flatMap((place, k) => {
      const drawn = this.drawn[k];
      return place && drawn
        ? [{ name: drawn.pose.name, at: new Vector3(...difference(place.position, this.middle)) }]
        : [];
    });
  }
}

function rendererIn(host: HTMLElement): WebGLRenderer {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2', { antialias: true, alpha: false });
  if (!context) throw new Error('This browser has no WebGL, without which there are no 3D pictures.');
  host.append(canvas);
  return new WebGLRenderer({ canvas, context, logarithmicDepthBuffer: true });
}
