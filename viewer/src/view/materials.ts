// The two materials of parts: solid, with the cut face of a section filled; and translucent, clearer where seen head-on.

import { DoubleSide, MeshLambertMaterial, type Plane } from "three";

// The inner face of a part seen through the section plane is drawn flat and hatched: what a cut through solid material
// looks like. It stands a little nearer than it is, so that it covers the edges that lie on it.
const CUT = /* glsl */ `
#include <opaque_fragment>
#if NUM_CLIPPING_PLANES > 0
gl_FragDepth = gl_FragCoord.z;
float toPlane = clippingPlanes[ 0 ].w / dot( vViewPosition, clippingPlanes[ 0 ].xyz );
if ( ! gl_FrontFacing && toPlane > 0.0 && toPlane < 1.0 ) {
  float hatch = mod( gl_FragCoord.x + gl_FragCoord.y, 8.0 * hatchSize ) < 1.2 * hatchSize ? 0.72 : 1.0;
  gl_FragColor.rgb = mix( diffuseColor.rgb, vec3( 0.5 ), 0.15 ) * 0.8 * hatch;
  gl_FragDepth = max( 0.0, gl_FragCoord.z - 2.0 * fwidth( gl_FragCoord.z ) - 1e-4 );
}
#endif
`;

const GLASS = /* glsl */ `
#include <opaque_fragment>
float rim = 1.0 - abs( dot( normalize( vViewPosition ), normal ) );
gl_FragColor.a = clamp( diffuseColor.a * mix( 0.55, 2.2, rim * rim ), 0.0, 1.0 );
`;

export interface PartMaterials {
  solid: MeshLambertMaterial;
  glass: MeshLambertMaterial;
  /** Cuts both materials by the plane, or none. */
  cut(plane: Plane | null): void;
  setPixelRatio(ratio: number): void;
}

export function partMaterials(flat: boolean): PartMaterials {
  const uniforms = { hatchSize: { value: 1 } };
  const solid = new MeshLambertMaterial({ side: DoubleSide, flatShading: flat, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
  solid.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.fragmentShader =
      "uniform float hatchSize;\n" + shader.fragmentShader.replace("#include <opaque_fragment>", CUT);
  };
  solid.customProgramCacheKey = () => "solid";
  const glass = new MeshLambertMaterial({ side: DoubleSide, flatShading: flat, transparent: true, depthWrite: false });
  glass.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace("#include <opaque_fragment>", GLASS);
  };
  glass.customProgramCacheKey = () => "glass";
  return {
    solid,
    glass,
    cut(plane) {
      const planes = plane ? [plane] : null;
      solid.clippingPlanes = planes;
      glass.clippingPlanes = planes;
    },
    setPixelRatio(ratio) {
      uniforms.hatchSize.value = ratio;
    },
  };
}
