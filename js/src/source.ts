// Loads weir.wasm from beside this script. Node, Bun and Deno read it on first use; browsers fetch it in `init`.
import { setDefaultSource } from "./runtime.js";

interface Process {
  getBuiltinModule?(name: string): unknown;
}

setDefaultSource({
  url: () => new URL("./weir.wasm", import.meta.url),
  load: () => {
    const url = new URL("./weir.wasm", import.meta.url);
    const files = (globalThis as { process?: Process }).process?.getBuiltinModule?.("node:fs") as { readFileSync(path: URL): Uint8Array<ArrayBuffer> } | undefined;
    if (!files || url.protocol !== "file:") return undefined;
    return new WebAssembly.Module(files.readFileSync(url));
  },
});
