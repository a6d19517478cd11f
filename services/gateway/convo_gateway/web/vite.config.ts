import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

const GATEWAY = "http://127.0.0.1:8420";

export default defineConfig({
  plugins: [react()],
  build: { outDir: "../static", emptyOutDir: true, assetsInlineLimit: 0 },
  server: { proxy: { "/api": { target: GATEWAY, ws: true } } },
  test: { include: ["src/**/*.test.ts"] },
});
