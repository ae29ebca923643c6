// Loads weir.wasm from beside this script. Node, Bun and Deno read it on first use; browsers fetch it in `init`.
import { readModule, setDefaultSource } from "./runtime.js";

const url = () => new URL("./weir.wasm", import.meta.url);
setDefaultSource({ url, load: () => readModule(url()), isFull: false });
