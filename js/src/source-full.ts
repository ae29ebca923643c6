// Loads weir-full.wasm from beside this script, as source.ts loads weir.wasm.
import { readModule, setDefaultSource } from "./runtime.js";

const url = () => new URL("./weir-full.wasm", import.meta.url);
setDefaultSource({ url, load: () => readModule(url()), isFull: true });
