// The package with the module that has everything, weir-full.wasm.
import "./source-full.js";

export * from "./api.js";
