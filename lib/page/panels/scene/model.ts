// glTF files of the simulation, loaded when a pose has one.
import { LoadingManager, type Object3D, TextureLoader } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const INSIDE = /^(data|blob):/;

/** @param linkTo makes the address of a file of the server. Rejects for what is no glTF file, or is not there. */
export async function modelAt(path: string, linkTo: (path: string) => string): Promise<Object3D> {
  const manager = new LoadingManager();
  // Files that a model names are asked for as it is itself.
  manager.setURLModifier((address) => (INSIDE.test(address) ? address : linkTo(address)));
  const loader = new GLTFLoader(manager);
  // Images inside a model are shown as images: the page's content policy lets nothing ask for them as data.
  loader.register((parser) => {
    Object.assign(parser, { textureLoader: new TextureLoader(manager) });
    return { name: 'images' };
  });
  const { scene } = await loader.loadAsync(path);
  return scene;
}
