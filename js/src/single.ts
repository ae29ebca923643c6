// The package with weir-full.wasm inside: nothing is fetched, and `init` is optional. It is a third larger.
import { setDefaultSource } from "./runtime.js";
import { base64 } from "./weir-wasm.js";

setDefaultSource({
  url: () => new URL(`data:application/wasm;base64,${base64}`),
  load: () => new WebAssembly.Module(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))),
  isFull: true,
});

export * from "./api.js";
