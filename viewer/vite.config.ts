import { defineConfig } from "vite";

// One classic script and one style sheet, with fixed names; tools/build.mjs puts them into the page.
export default defineConfig({
  logLevel: "warn",
  build: {
    target: "es2022",
    outDir: "build",
    emptyOutDir: true,
    cssCodeSplit: false,
    modulePreload: false,
    chunkSizeWarningLimit: 2000,
    lib: { entry: "src/main.ts", formats: ["iife"], name: "clearanceViewer", fileName: () => "viewer.js", cssFileName: "viewer" },
  },
});
