// GLB files written by `clearance check --glb`, opened by three.js's own loader: REPORTS names the folder that they are in.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";

const folder = process.env.REPORTS;
const files = folder ? readdirSync(folder).filter((name) => name.endsWith(".glb")) : [];

test("GLB files are named", { skip: folder ? false : "REPORTS names no folder" }, () => {
  assert.notEqual(files.length, 0, `no .glb file in ${folder}`);
});

for (const name of files) {
  test(`three.js opens ${name}`, async () => {
    const bytes = readFileSync(join(folder, name));
    const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    const gltf = await new GLTFLoader().parseAsync(buffer, "");
    let meshes = 0;
    gltf.scene.updateMatrixWorld(true);
    gltf.scene.traverse((node) => {
      assert.ok(node.matrixWorld.elements.every(Number.isFinite), `${node.name} is somewhere`);
      if (node.isMesh) {
        meshes += 1;
        const { position } = node.geometry.attributes;
        assert.ok(position.count >= 3 && position.array.every(Number.isFinite), `${node.name} has vertices`);
        assert.ok((node.geometry.index?.count ?? position.count) % 3 === 0, `${node.name} has triangles`);
      }
    });
    assert.ok(meshes > 0, "it has meshes");
    for (const clip of gltf.animations) {
      assert.ok(clip.duration > 0 && clip.tracks.length > 0, "its motion takes time");
      assert.ok(clip.tracks.every((track) => track.times.every((t, i, all) => i === 0 || t > all[i - 1])), "times ascend");
    }
  });
}
