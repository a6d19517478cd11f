import { defineConfig } from "@hey-api/openapi-ts";

export default defineConfig({
  input: "../schema/openapi.json",
  output: "src/client",
  plugins: ["@hey-api/client-fetch", "@hey-api/sdk", "@hey-api/typescript"],
});
